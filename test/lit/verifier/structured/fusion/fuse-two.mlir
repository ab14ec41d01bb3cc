// Each target of structured.fuse gets a tile of its own; and what is of one of several
// kinds with a result has one to be read.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/schedule.mlir --strict
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir --validate -o %t/out.mlir

//--- payload.mlir
func.func @f(%A: tensor<8x8xf32>, %B: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.exp ins(%A : tensor<8x8xf32>) outs(%B : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
func.func @g(%A: tensor<8x8xf32>, %B: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.exp ins(%A : tensor<8x8xf32>) outs(%B : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %both = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiles, %loops = transform.structured.fuse %both tile_sizes [3, 8] {use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %generic = transform.structured.generalize %tiles : (!transform.any_op) -> !transform.any_op
    %sizes = transform.structured.match ops{["affine.min", "affine.apply"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.foreach %sizes : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      %users = transform.get_consumers_of_result %one[0] : (!transform.any_op) -> !transform.any_op
      transform.annotate %users "note" : !transform.any_op
    }
    transform.yield
  }
}
