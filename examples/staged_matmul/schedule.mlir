// Stages the operands of a matmul through workgroup memory: every step of the
// reduction, the threads of a block copy a tile of A and of B, meet at a barrier,
// and multiply.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op

    // One block computes a 32x32 tile, 16 steps of the reduction at a time.
    %block_matmul, %blocks = transform.structured.tile_using_forall %matmul
        tile_sizes [32, 32] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %block_fill, %blocks_filled =
        transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %thread_fill, %fill_threads = transform.structured.tile_using_forall %block_fill
        tile_sizes [4, 4] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %step, %reduction = transform.structured.tile_using_for %block_matmul
        tile_sizes [0, 0, 16]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

    // Its operands are copied to workgroup memory.
    %staged, %pads, %copy_back = transform.structured.pad %step {
        padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32],
        padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 0],
        copy_back_op = "none"}
        : (!transform.any_op)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %copies = transform.structured.rewrite_in_destination_passing_style %pads
        : (!transform.any_op) -> !transform.any_op
    %copy_a, %copy_b = transform.split_handle %copies
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %buffer_a, %new_a = transform.structured.bufferize_to_allocation %copy_a
        {memory_space = #gpu.address_space<workgroup>,
         bufferize_destination_only} : !transform.any_op
    %buffer_b, %new_b = transform.structured.bufferize_to_allocation %copy_b
        {memory_space = #gpu.address_space<workgroup>,
         bufferize_destination_only} : !transform.any_op

    // 8x8 threads share each of the copies and the product.
    %thread_copy_a, %copy_a_threads = transform.structured.tile_using_forall %copy_a
        tile_sizes [4, 2] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread_copy_b, %copy_b_threads = transform.structured.tile_using_forall %copy_b
        tile_sizes [2, 4] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread_matmul, %matmul_threads = transform.structured.tile_using_forall %staged
        tile_sizes [4, 4] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
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
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [8, 8, 1]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
