// A block computes four elements of the product; its four warps share the rows.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %matvec = transform.structured.match ops{["linalg.matvec"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %rows, %blocks = transform.structured.tile_using_forall %matvec
        tile_sizes [4] (mapping = [#gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %block_fill, %blocks_filled =
        transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    transform.formwork.vectorize_tiles %block_fill sizes = [4]
        : (!transform.any_op) -> ()
    transform.formwork.vectorize_tiles %rows sizes = [4, 0]
        : (!transform.any_op) -> ()

    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %tiles = transform.structured.match ops{["scf.forall"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.formwork.map_forall_to_blocks %tiles
        : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [1, 128]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
