// What the author decides about the batch matmul, and nothing else: no
// canonicalization, no CSE, no hoisting, no lowering.
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

    // One thread computes a 4x4 tile of it.
    %thread_matmul, %threads = transform.structured.tile_using_forall %block_matmul
        tile_sizes [0, 4, 4]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread_fill, %threads_filled =
        transform.structured.fuse_into_containing_op %block_fill into %threads
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)

    // Eight steps of the reduction at a time, in vectors.
    %step, %reduction = transform.structured.tile_using_for %thread_matmul
        tile_sizes [0, 0, 0, 8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
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
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [16, 4, 1]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
