// Normalization to @llvm.translatable: only ops that translate to LLVM IR.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: llvm.func @f(%[[ARG0:.+]]: i64) -> i64 {
// CHECK-NEXT: %[[V0:.+]] = llvm.add %[[ARG0]], %[[ARG0]] : i64
// CHECK-NEXT: llvm.return %[[V0]] : i64
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  llvm.func @f(%a: i64) -> i64 {
    %0 = llvm.add %a, %a : i64
    llvm.return %0 : i64
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["llvm.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @llvm.translatable : !transform.any_op
    transform.normalform.assert %f is @llvm.translatable : !transform.any_op
    transform.yield
  }
}
