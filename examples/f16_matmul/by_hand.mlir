// The same job with MLIR's own steps alone: every enabler is spelled out, up to the
// lowering. Results are written from the fragments, 8 bytes at a time.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %tile, %blocks =
        transform.structured.tile_using_forall %matmul tile_sizes [128, 128]
        (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tile_fill, %blocks_1 =
        transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %thread_fill, %fill_threads =
        transform.structured.tile_using_forall %tile_fill tile_sizes [1, 128]
        (mapping = [#gpu.thread<x>, #gpu.thread<y>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %step, %reduction = transform.structured.tile_using_for %tile tile_sizes [0, 0, 32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %padded, %pads, %copied_back =
        transform.structured.pad %step
        {padding_values = [0.0 : f16, 0.0 : f16, 0.0 : f32],
            padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 0],
            copy_back_op = "none"}
        : (!transform.any_op)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %copies = transform.structured.rewrite_in_destination_passing_style %pads
        : (!transform.any_op) -> !transform.any_op
    %copy_a, %copy_b = transform.split_handle %copies
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %buffer_a, %new_a =
        transform.structured.bufferize_to_allocation %copy_a
        {memory_space = #gpu.address_space<workgroup>, bufferize_destination_only}
        : !transform.any_op
    %buffer_b, %new_b =
        transform.structured.bufferize_to_allocation %copy_b
        {memory_space = #gpu.address_space<workgroup>, bufferize_destination_only}
        : !transform.any_op
    %threads_a, %thread_copy_a =
        transform.structured.gpu.map_copy_to_threads %copy_a
        total_num_threads = 128 desired_bit_alignment = 128
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %threads_b, %thread_copy_b =
        transform.structured.gpu.map_copy_to_threads %copy_b
        total_num_threads = 128 desired_bit_alignment = 128
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %warp_matmul, %warps =
        transform.structured.tile_using_forall %padded tile_sizes [64, 64]
        (mapping = [#gpu.warp<linear_dim_1>, #gpu.warp<linear_dim_0>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %vectorized =
        transform.structured.vectorize_children_and_apply_patterns %func
        {fold_type_extensions_into_contract}
        : (!transform.any_op) -> !transform.any_op
    %bufferized =
        transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %module
        {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %kernel_func = transform.structured.match ops{["func.func"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %kernel_func {
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %kernel_func generate_gpu_launch
        : (!transform.any_op) -> !transform.any_op
    %mapped =
        transform.gpu.map_nested_forall_to_threads %launch block_dims = [128, 1, 1]
        : (!transform.any_op) -> !transform.any_op
    %mapped_func = transform.structured.match ops{["func.func"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %mapped_func {
      transform.apply_patterns.gpu.unroll_vectors_subgroup_mma [16, 8, 16]
    } : !transform.any_op
    transform.apply_patterns to %mapped_func {
      transform.apply_patterns.memref.fold_memref_alias_ops
    } : !transform.any_op
    transform.apply_cse to %mapped_func : !transform.any_op
    %hoisted = transform.structured.hoist_redundant_vector_transfers %mapped_func
        : (!transform.any_op) -> !transform.any_op
    %fragments =
        transform.apply_registered_pass "convert-vector-to-gpu" with options =
        {"use-nvgpu" = true} to %hoisted
        : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %fragments {
      transform.apply_patterns.vector.transfer_to_scf full_unroll = true
    } : !transform.any_op
    transform.bufferization.buffer_loop_hoisting %fragments : !transform.any_op
    %launch_1 = transform.structured.match ops{["gpu.launch"]} in %fragments
        : (!transform.any_op) -> !transform.any_op
    %buffers = transform.structured.match ops{["memref.alloc"]} in %launch_1
        : (!transform.any_op) -> !transform.op<"memref.alloc">
    %many_buffers =
        transform.memref.multibuffer %buffers {factor = 3 : i64, skip_analysis}
        : (!transform.op<"memref.alloc">) -> !transform.any_op
    transform.apply_patterns to %fragments {
      transform.apply_patterns.memref.fold_memref_alias_ops
    } : !transform.any_op
    transform.apply_cse to %fragments : !transform.any_op
    %asynchronous = transform.nvgpu.create_async_groups %launch_1 {bypass_l1}
        : (!transform.any_op) -> !transform.any_op
    %fors = transform.structured.match ops{["scf.for"]} in %asynchronous
        : (!transform.any_op) -> !transform.any_op
    %pipelined =
        transform.nvgpu.pipeline_shared_memory_copies failures(propagate) %fors
        {depth = 3 : i64, peel_epilogue}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
