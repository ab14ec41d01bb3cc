// The parts of an op that is split read slices of what it read, which stand in front of
// them: the fill has no use in the loop around a tile of one.
// RUN: not formwork check %s 2>&1 | FileCheck %s
// RUN: not mlir-opt %s --transform-interpreter 2>&1 | FileCheck %s --check-prefix=STOCK

// CHECK: error: requires a producer with a use inside the containing op but %fill has none there [fw-not-a-producer]
// STOCK: error: could not find next producer to fuse into container

func.func @f(%a: tensor<32x16xf32>, %b: tensor<16x32xf32>, %e: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z: f32) outs(%e: tensor<32x32xf32>) -> tensor<32x32xf32>
  %m = linalg.matmul ins(%a, %b : tensor<32x16xf32>, tensor<16x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %m : tensor<32x32xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %r : (!transform.any_op) -> !transform.any_op
    %parts = transform.structured.split %matmul after 4 {dimension = 0} : !transform.any_op
    %first, %rest = transform.split_handle %parts : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tile, %loop = transform.structured.tile_using_forall %first tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %around = transform.structured.fuse_into_containing_op %fill into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
