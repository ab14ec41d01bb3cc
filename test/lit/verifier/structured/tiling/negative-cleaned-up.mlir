// A loop over no elements, with all that it holds, is gone after clean-up.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --unchecked -o /dev/null

// CHECK: warning: requires tile sizes and numbers of threads that are not negative but has -2 [fw-negative-tile-size]
// CHECK: : unproved: 0 errors

func.func @f(%a: tensor<0x2xf32>, %b: tensor<0x2xf32>) -> tensor<0x2xf32> {
  %0 = linalg.exp ins(%a : tensor<0x2xf32>) outs(%b : tensor<0x2xf32>) -> tensor<0x2xf32>
  return %0 : tensor<0x2xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %exp tile_sizes [2, -2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %func to @loops.canonical : !transform.any_op
    transform.yield
  }
}
