// A split with an overflow result ends the process if it has no payload, and is refused, which
// may go unseen, if it has too little.
// RUN: formwork check %s --static 2>&1 | FileCheck %s
// RUN: formwork apply %s --unchecked -o %t.out

// CHECK: may split fewer payload ops than results with an overflow result, on which MLIR crashes [fw-unproved]
// CHECK: : unproved: 0 errors

func.func @f(%in: tensor<4x24x26x128xf64>, %out: tensor<4x12x8x128xf64>, %window: tensor<5x7xf64>) {
  %sum = linalg.pooling_nhwc_sum {dilations = dense<3> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>, pool} ins(%in, %window : tensor<4x24x26x128xf64>, tensor<5x7xf64>) outs(%out : tensor<4x12x8x128xf64>) -> tensor<4x12x8x128xf64>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%x: !transform.any_op):
      %pool = transform.structured.match attributes {pool} in %x : (!transform.any_op) -> !transform.any_op
      transform.structured.vectorize %pool : !transform.any_op
      %left = transform.structured.match attributes {pool} in %x : (!transform.any_op) -> !transform.any_op
      %tile, %loops:4 = transform.structured.tile_using_for %left tile_sizes [1, 2, 3, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
      %parts:2 = transform.split_handle %loops#3 {overflow_result = 1} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}
