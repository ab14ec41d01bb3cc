// Normalization to @canonical: canonical ops, no common subexpressions.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: i32) -> i32 {
// CHECK-NEXT: %[[C2_I32:.+]] = arith.constant 2 : i32
// CHECK-NEXT: %[[V0:.+]] = arith.addi %[[ARG0]], %[[C2_I32]] : i32
// CHECK-NEXT: %[[V1:.+]] = arith.muli %[[V0]], %[[V0]] : i32
// CHECK-NEXT: return %[[V1]] : i32
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %0 = arith.addi %a, %c1 : i32
    %1 = arith.addi %0, %c1 : i32
    %2 = arith.addi %0, %c1 : i32
    %3 = arith.muli %1, %2 : i32
    return %3 : i32
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @canonical : !transform.any_op
    transform.normalform.assert %f is @canonical : !transform.any_op
    transform.yield
  }
}
