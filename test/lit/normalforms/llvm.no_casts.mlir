// Normalization to @llvm.no_casts: no conversion left unresolved.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: i64) -> index {
// CHECK-NEXT: %[[V0:.+]] = arith.index_cast %[[ARG0]] : i64 to index
// CHECK-NEXT: return %[[V0]] : index
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: i64) -> index {
    %0 = arith.index_cast %a : i64 to index
    return %0 : index
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @llvm.no_casts : !transform.any_op
    transform.normalform.assert %f is @llvm.no_casts : !transform.any_op
    transform.yield
  }
}
