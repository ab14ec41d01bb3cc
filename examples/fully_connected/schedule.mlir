// What the author decides about the layer: its last step is tiled for blocks and
// threads, and all that comes before is computed tile by tile where it is used.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %elementwise = transform.structured.match ops{["linalg.elementwise"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %bias, %relu = transform.split_handle %elementwise
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

    // One block computes a 16x64 tile of the result.
    %block_relu, %blocks = transform.structured.tile_using_forall %relu
        tile_sizes [16, 64] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %block_bias, %blocks_1 =
        transform.structured.fuse_into_containing_op %bias into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %block_matmul, %blocks_2 =
        transform.structured.fuse_into_containing_op %matmul into %blocks_1
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %block_fill, %blocks_3 =
        transform.structured.fuse_into_containing_op %fill into %blocks_2
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)

    // One thread computes a 4x4 tile of it.
    %thread_relu, %threads = transform.structured.tile_using_forall %block_relu
        tile_sizes [4, 4] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread_bias, %threads_1 =
        transform.structured.fuse_into_containing_op %block_bias into %threads
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %thread_matmul, %threads_2 =
        transform.structured.fuse_into_containing_op %block_matmul into %threads_1
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %thread_fill, %threads_3 =
        transform.structured.fuse_into_containing_op %block_fill into %threads_2
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)

    // Eight steps of the reduction at a time, in vectors.
    %step, %reduction = transform.structured.tile_using_for %thread_matmul
        tile_sizes [0, 0, 8]
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
