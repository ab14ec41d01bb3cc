// Ops made of ops whose order is not known have no known order either.
// RUN: formwork apply --validate %s 2>&1 | FileCheck %s
// CHECK: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>, %x: f32) -> tensor<4x6xf32> {
  %f = linalg.fill ins(%x : f32) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %m = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %s = linalg.add ins(%m, %c : tensor<4x6xf32>, tensor<4x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %s : tensor<4x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %block, %forall = transform.structured.tile_using_forall %matmul tile_sizes [1, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %all = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops = transform.structured.tile_using_for %all tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %parts:3 = transform.split_handle %tiled : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %parts#2, "the last" : !transform.any_op
    transform.yield
  }
}
