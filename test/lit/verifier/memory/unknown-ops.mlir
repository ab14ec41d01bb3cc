// Where unknown operations are allowed, they stay on tensors.
// RUN: formwork check %s --goal=bufferized 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o - | FileCheck %s --check-prefix=APPLIED

// CHECK: no step establishes the form [fw-missing-goal]
// APPLIED: bufferization.to_tensor
// APPLIED: linalg.pack

func.func @f(%a: tensor<8x8xf32>, %b: tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32> {
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %b : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
  return %0 : tensor<2x2x4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %b = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %m {allow_unknown_ops = true, bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
