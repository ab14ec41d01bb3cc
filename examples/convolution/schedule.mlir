// A block computes a row of an image: 16 places of 64 channels. The loops over the
// filter and over 8 channels at a time are around a product of matrices.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %relu = transform.structured.match ops{["linalg.generic"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %row, %blocks = transform.structured.tile_using_forall %relu
        tile_sizes [1, 1] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %row_conv, %blocks_1 =
        transform.structured.fuse_into_containing_op %conv into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %row_fill, %blocks_2 =
        transform.structured.fuse_into_containing_op %fill into %blocks_1
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %step, %loops:3 = transform.structured.tile_using_for %row_conv
        tile_sizes [0, 0, 0, 0, 1, 1, 32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op,
                                  !transform.any_op, !transform.any_op)
    %line = transform.structured.decompose %step
        : (!transform.any_op) -> !transform.any_op

    %func = transform.structured.match ops{["func.func"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %vectorized =
        transform.structured.vectorize_children_and_apply_patterns %func
        : (!transform.any_op) -> !transform.any_op
    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %kernel_func = transform.structured.match ops{["func.func"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %kernel_func generate_gpu_launch
        : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [4, 16, 1]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
