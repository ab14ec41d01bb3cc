// An action runs several times, of which no state of the check describes one: its clauses are compared, and no facts.
// RUN: formwork apply %s --validate -o - 2>&1 | FileCheck %s

// CHECK: validated: 4 steps
// CHECK-COUNT-2: scf.for
// CHECK: linalg.matmul

func.func @f(%a: tensor<6x16xf32>, %b: tensor<16x12xf32>, %c: tensor<6x12xf32>) -> tensor<6x12xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<6x16xf32>, tensor<16x12xf32>) outs(%c : tensor<6x12xf32>) -> tensor<6x12xf32>
  return %0 : tensor<6x12xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @tile(%op: !transform.any_op {transform.consumed}) {
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %root_1 = transform.foreach_match in %root @is_matmul -> @tile : (!transform.any_op) -> !transform.any_op
    %root_2 = transform.foreach_match in %root_1 @is_matmul -> @tile : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
