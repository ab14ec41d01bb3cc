// Normalization to @driver: folded, constants unique and in front, no dead op or block.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: i32) -> i32 {
// CHECK-NEXT: %[[C3_I32:.+]] = arith.constant 3 : i32
// CHECK-NEXT: %[[V0:.+]] = arith.addi %[[ARG0]], %[[C3_I32]] : i32
// CHECK-NEXT: return %[[V0]] : i32
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %dead = arith.muli %a, %a : i32
    %c2 = arith.constant 2 : i32
    %sum = arith.addi %c1, %c2 : i32
    %0 = arith.addi %a, %sum : i32
    return %0 : i32
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @driver : !transform.any_op
    transform.normalform.assert %f is @driver : !transform.any_op
    transform.yield
  }
}
