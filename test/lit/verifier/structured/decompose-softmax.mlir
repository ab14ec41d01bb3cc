// Decomposing a softmax replaces nothing else: other handles stay valid, and what read the softmax reads its last part.
// RUN: formwork check --static --strict %s
// RUN: formwork apply %s --validate -o - | FileCheck %s

// CHECK: arith.divf
// CHECK: scf.for
// CHECK: linalg.exp {seen}

func.func @f(%a: tensor<16x8xf32>, %b: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<16x8xf32>) outs(%b : tensor<16x8xf32>) -> tensor<16x8xf32>
  %1 = linalg.exp ins(%0 : tensor<16x8xf32>) outs(%b : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %parts = transform.structured.decompose_interface %softmax : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %exp tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %last = transform.get_producer_of_operand %tile[0] : (!transform.any_op) -> !transform.any_op
    transform.annotate %tile "seen" : !transform.any_op
    transform.yield
  }
}
