// A block computes a 128x128 tile, 16 steps of the reduction at a time; 16x16
// threads have 8x8 sums each, and share the copies to workgroup memory, which
// run a step ahead.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %tile, %blocks = transform.structured.tile_using_forall %matmul
        tile_sizes [128, 128] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tile_fill, %blocks_filled =
        transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %step, %reduction = transform.structured.tile_using_for %tile
        tile_sizes [0, 0, 16]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.formwork.vectorize_tiles %tile_fill sizes = [128, 128]
        : (!transform.any_op) -> ()
    transform.formwork.vectorize_tiles %step sizes = [128, 128, 16]
        : (!transform.any_op) -> ()

    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %tiles = transform.structured.match ops{["scf.forall"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.formwork.map_forall_to_blocks %tiles
        : (!transform.any_op) -> !transform.any_op
    %product = transform.structured.match ops{["vector.contract"]} in %launch
        : (!transform.any_op) -> !transform.any_op
    %copies, %buffers = transform.formwork.stage %product operands = [0, 1]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %shared = transform.formwork.distribute_vectors %launch threads = [16, 16, 1]
        : (!transform.any_op) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %shared
        : (!transform.any_op) -> !transform.any_op
    %pipelined = transform.formwork.pipeline_copies %loop depth = [2]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
