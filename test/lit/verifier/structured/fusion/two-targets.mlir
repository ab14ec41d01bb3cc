// Targets of which none is fused into the loops of another are followed one by
// one.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// CHECK: : proved: 0 errors

func.func @two(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %x: f32) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %f = linalg.fill ins(%x : f32) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = linalg.fill ins(%x : f32) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  %q = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%g : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p, %q : tensor<8x8xf32>, tensor<8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmuls = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiles, %loops:2 = transform.structured.fuse %matmuls tile_sizes [2, 4] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %parents = transform.get_parent_op %tiles {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %tiles : !transform.any_op
    %u, %v = transform.split_handle %loops#0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %u "outer" : !transform.any_op
    transform.yield
  }
}
