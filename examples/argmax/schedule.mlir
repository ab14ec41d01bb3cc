// A row for a block of four warps, 1024 elements at a time. They combine the values
// first, and then the places that have the largest one.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %argmax = transform.structured.match ops{["linalg.generic"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %value = transform.structured.match attributes {value} in %module
        : (!transform.any_op) -> !transform.any_op
    %place = transform.structured.match attributes {place} in %module
        : (!transform.any_op) -> !transform.any_op
    %row, %blocks = transform.structured.tile_using_forall %argmax
        tile_sizes [1] (mapping = [#gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %row_value, %blocks_1 =
        transform.structured.fuse_into_containing_op %value into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %row_place, %blocks_2 =
        transform.structured.fuse_into_containing_op %place into %blocks_1
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %step, %loop = transform.structured.tile_using_for %row tile_sizes [0, 1024]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.formwork.vectorize_tiles %row_value sizes = [1]
        : (!transform.any_op) -> ()
    transform.formwork.vectorize_tiles %row_place sizes = [1]
        : (!transform.any_op) -> ()
    transform.formwork.vectorize_tiles %step sizes = [1, 1024]
        : (!transform.any_op) -> ()

    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %tiles = transform.structured.match ops{["scf.forall"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.formwork.map_forall_to_blocks %tiles
        : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [128]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
