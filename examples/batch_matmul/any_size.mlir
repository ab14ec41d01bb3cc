// As schedule.mlir, for sizes that the tiles divide or not: a block has 4x16 threads,
// however large its tile is, and what is beyond the end is read as zero and not written.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.batch_matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op

    // One block computes a 16x64 tile of one product.
    %block_matmul, %blocks = transform.structured.tile_using_forall %matmul
        tile_sizes [1, 16, 64]
        (mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %block_fill, %blocks_filled =
        transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)

    // Four by sixteen threads share it; one computes at most a 4x4 tile.
    %thread_matmul, %threads = transform.structured.tile_using_forall %block_matmul
        num_threads [0, 4, 16]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread_fill, %threads_filled =
        transform.structured.fuse_into_containing_op %block_fill into %threads
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)

    // At most eight steps of the reduction at a time, in vectors.
    %step, %reduction = transform.structured.tile_using_for %thread_matmul
        tile_sizes [0, 0, 0, 8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.formwork.vectorize_tiles %thread_fill sizes = [1, 4, 4]
        : (!transform.any_op) -> ()
    transform.formwork.vectorize_tiles %step sizes = [1, 4, 4, 8]
        : (!transform.any_op) -> ()

    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %tiles = transform.structured.match ops{["scf.forall"]}
        attributes{mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.formwork.map_forall_to_blocks %tiles
        : (!transform.any_op) -> !transform.any_op
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [16, 4, 1]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
