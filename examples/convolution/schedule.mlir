// A block computes 16 places of a row of an image, with 64 channels. The loops over the
// filter, a place at a time, and over 32 channels are around a product of matrices.
// Where the tiles do not divide the sizes, what is beyond the end is read as zero.
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
        tile_sizes [1, 1, 16, 64]
        (mapping = [#gpu.block<linear_dim_3>, #gpu.block<linear_dim_2>,
                    #gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>])
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
    transform.formwork.vectorize_tiles %row_fill sizes = [1, 1, 16, 64]
        : (!transform.any_op) -> ()
    transform.formwork.vectorize_tiles %step sizes = [1, 1, 16, 64, 1, 1, 32]
        : (!transform.any_op) -> ()
    transform.formwork.vectorize_tiles %row sizes = [1, 1, 16, 64]
        : (!transform.any_op) -> ()

    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %tiles = transform.structured.match ops{["scf.forall"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.formwork.map_forall_to_blocks %tiles
        : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [4, 16, 1]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
