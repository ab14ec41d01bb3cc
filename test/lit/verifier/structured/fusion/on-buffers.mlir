// An op on buffers has no result that another could read.
// RUN: not formwork check --static %s 2>&1 | FileCheck %s

func.func @f(%a: tensor<8x12xf32>, %b: tensor<12x8xf32>, %c: tensor<8x8xf32>, %x: f32) -> tensor<8x8xf32> {
  %f = linalg.fill ins(%x : f32) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x12xf32>, tensor<12x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %buffers : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %matmul num_threads [4, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill = transform.structured.match ops{["linalg.fill"]} in %buffers : (!transform.any_op) -> !transform.any_op
    // CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: requires a producer with a use inside the containing op but %fill has none there [fw-not-a-producer]
    %fused, %new = transform.structured.fuse_into_containing_op %fill into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
// CHECK: refuted: 1 error
