// A match in an op of which the kind is not known may find that op.
// RUN: formwork apply %s --validate -o %t.mlir

module {
  func.func @f(%A: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %zero = arith.constant 0.0 : f32
    %r = linalg.fill ins(%zero : f32) outs(%A : tensor<4x16xf32>) -> tensor<4x16xf32>
    return %r : tensor<4x16xf32>
  }
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
      %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
      %tile, %loops:2 = transform.structured.fuse %fill tile_sizes [2, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
      %small, %loop = transform.structured.tile_using_forall %tile tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      %around = transform.get_parent_op %small {isolated_from_above, deduplicate} : (!transform.any_op) -> !transform.any_op
      transform.alternatives %around : !transform.any_op {
      ^bb0(%x: !transform.any_op):
        %itself = transform.structured.match ops{["func.func"]} in %x : (!transform.any_op) -> !transform.any_op
        transform.print %itself : !transform.any_op
      }
      transform.yield
    }
  }
}
