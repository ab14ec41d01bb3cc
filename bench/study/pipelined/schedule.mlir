// A matrix product whose operands are staged through workgroup memory, by asynchronous
// copies that are some steps ahead: how many, and how many buffers there are for them, are
// choices of a region, because upstream takes them as numbers.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %block_m = transform.tune.knob<"block_m"> options = [16, 32, 64] -> !transform.param<i64>
    %block_n = transform.tune.knob<"block_n"> options = [16, 32] -> !transform.param<i64>
    %block_k = transform.tune.knob<"block_k"> options = [16, 32, 64] -> !transform.param<i64>
    %align_a = transform.tune.knob<"align_a"> options = [16, 24, 32, 64, 96, 128] -> !transform.param<i64>
    %align_b = transform.tune.knob<"align_b"> options = [16, 32, 48, 64, 128, 192] -> !transform.param<i64>
    %thread_m = transform.tune.knob<"thread_m"> options = [1, 2, 3, 4, 8, 16] -> !transform.param<i64>
    %thread_n = transform.tune.knob<"thread_n"> options = [1, 2, 3, 4, 8, 16] -> !transform.param<i64>

    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %block_matmul, %blocks = transform.structured.tile_using_forall %matmul
        tile_sizes [%block_m, %block_n]
        (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %block_fill, %blocks_filled = transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %thread_fill, %fill_threads = transform.structured.tile_using_forall %block_fill
        tile_sizes [%thread_m, %thread_n]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %chunk, %chunks = transform.structured.tile_using_for %block_matmul
        tile_sizes [0, 0, %block_k]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %staged, %pads, %copy_back = transform.structured.pad %chunk {
        padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32],
        padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 0],
        copy_back_op = "none"}
        : (!transform.any_op)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %copies = transform.structured.rewrite_in_destination_passing_style %pads
        : (!transform.any_op) -> !transform.any_op
    %copy_a, %copy_b = transform.split_handle %copies
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %buffer_a, %new_buffer_a = transform.structured.bufferize_to_allocation %copy_a
        {memory_space = #gpu.address_space<workgroup>,
         bufferize_destination_only} : !transform.any_op
    %buffer_b, %new_buffer_b = transform.structured.bufferize_to_allocation %copy_b
        {memory_space = #gpu.address_space<workgroup>,
         bufferize_destination_only} : !transform.any_op
    transform.annotate %new_buffer_a "alignment" = %align_a : !transform.any_op, !transform.param<i64>
    transform.annotate %new_buffer_b "alignment" = %align_b : !transform.any_op, !transform.param<i64>
    %copy_a_threads, %thread_copy_a = transform.structured.gpu.map_copy_to_threads %copy_a
        total_num_threads = 64 desired_bit_alignment = 128
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %copy_b_threads, %thread_copy_b = transform.structured.gpu.map_copy_to_threads %copy_b
        total_num_threads = 64 desired_bit_alignment = 128
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread_matmul, %matmul_threads = transform.structured.tile_using_forall %staged
        tile_sizes [%thread_m, %thread_n]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %step, %steps = transform.structured.tile_using_for %thread_matmul
        tile_sizes [0, 0, %block_k]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %step {create_named_contraction} : !transform.any_op
    transform.structured.vectorize %thread_fill : !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %module
        : (!transform.any_op) -> !transform.any_op
    // Without the fill of the whole result, which no one needs any more.
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op

    transform.structured.vectorize %thread_copy_a : !transform.any_op
    transform.structured.vectorize %thread_copy_b : !transform.any_op
    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %kernel_func = transform.structured.match ops{["func.func"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %kernel_func generate_gpu_launch
        : (!transform.any_op) -> !transform.any_op
    %mapped = transform.gpu.map_nested_forall_to_threads %launch block_dims = [8, 8, 1]
        : (!transform.any_op) -> !transform.any_op
    %kernel_host = transform.structured.match ops{["func.func"]} in %bufferized : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %kernel_host {
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %kernel_host : !transform.any_op
    transform.bufferization.buffer_loop_hoisting %kernel_host : !transform.any_op
    transform.apply_patterns to %kernel_host {
      transform.apply_patterns.vector.cast_away_vector_leading_one_dim
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %kernel_host : !transform.any_op
    transform.tune.alternatives<"buffers"> {
    }, {
      %launch_2 = transform.structured.match ops{["gpu.launch"]} in %kernel_host : (!transform.any_op) -> !transform.any_op
      %buffers_2 = transform.structured.match ops{["memref.alloc"]} in %launch_2 : (!transform.any_op) -> !transform.op<"memref.alloc">
      %more_2 = transform.memref.multibuffer %buffers_2 {factor = 2 : i64, skip_analysis} : (!transform.op<"memref.alloc">) -> !transform.any_op
    }, {
      %launch_3 = transform.structured.match ops{["gpu.launch"]} in %kernel_host : (!transform.any_op) -> !transform.any_op
      %buffers_3 = transform.structured.match ops{["memref.alloc"]} in %launch_3 : (!transform.any_op) -> !transform.op<"memref.alloc">
      %more_3 = transform.memref.multibuffer %buffers_3 {factor = 3 : i64, skip_analysis} : (!transform.op<"memref.alloc">) -> !transform.any_op
    }, {
      %launch_4 = transform.structured.match ops{["gpu.launch"]} in %kernel_host : (!transform.any_op) -> !transform.any_op
      %buffers_4 = transform.structured.match ops{["memref.alloc"]} in %launch_4 : (!transform.any_op) -> !transform.op<"memref.alloc">
      %more_4 = transform.memref.multibuffer %buffers_4 {factor = 4 : i64, skip_analysis} : (!transform.op<"memref.alloc">) -> !transform.any_op
    }, {
      %launch_5 = transform.structured.match ops{["gpu.launch"]} in %kernel_host : (!transform.any_op) -> !transform.any_op
      %buffers_5 = transform.structured.match ops{["memref.alloc"]} in %launch_5 : (!transform.any_op) -> !transform.op<"memref.alloc">
      %more_5 = transform.memref.multibuffer %buffers_5 {factor = 5 : i64, skip_analysis} : (!transform.op<"memref.alloc">) -> !transform.any_op
    }, {
      %launch_6 = transform.structured.match ops{["gpu.launch"]} in %kernel_host : (!transform.any_op) -> !transform.any_op
      %buffers_6 = transform.structured.match ops{["memref.alloc"]} in %launch_6 : (!transform.any_op) -> !transform.op<"memref.alloc">
      %more_6 = transform.memref.multibuffer %buffers_6 {factor = 6 : i64, skip_analysis} : (!transform.op<"memref.alloc">) -> !transform.any_op
    }
    %staged_launch = transform.structured.match ops{["gpu.launch"]} in %kernel_host : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %kernel_host {
      transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 1 full_unroll = true
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %kernel_host : !transform.any_op
    %async = transform.nvgpu.create_async_groups %staged_launch {bypass_l1} : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %kernel_host {
      transform.apply_patterns.vector.lower_contraction lowering_strategy = outerproduct
      transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 1 full_unroll = true
      transform.apply_patterns.vector.lower_transfer max_transfer_rank = 1
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %kernel_host : !transform.any_op
    %kernel = transform.structured.match ops{["gpu.launch"]} in %kernel_host : (!transform.any_op) -> !transform.any_op
    transform.tune.alternatives<"depth"> {
    }, {
      %steps_2 = transform.structured.match ops{["scf.for"]} in %kernel : (!transform.any_op) -> !transform.any_op
      %ahead_2 = transform.nvgpu.pipeline_shared_memory_copies failures(propagate) %steps_2 {depth = 2 : i64, peel_epilogue} : (!transform.any_op) -> !transform.any_op
    }, {
      %steps_3 = transform.structured.match ops{["scf.for"]} in %kernel : (!transform.any_op) -> !transform.any_op
      %ahead_3 = transform.nvgpu.pipeline_shared_memory_copies failures(propagate) %steps_3 {depth = 3 : i64, peel_epilogue} : (!transform.any_op) -> !transform.any_op
    }, {
      %steps_4 = transform.structured.match ops{["scf.for"]} in %kernel : (!transform.any_op) -> !transform.any_op
      %ahead_4 = transform.nvgpu.pipeline_shared_memory_copies failures(propagate) %steps_4 {depth = 4 : i64, peel_epilogue} : (!transform.any_op) -> !transform.any_op
    }, {
      %steps_5 = transform.structured.match ops{["scf.for"]} in %kernel : (!transform.any_op) -> !transform.any_op
      %ahead_5 = transform.nvgpu.pipeline_shared_memory_copies failures(propagate) %steps_5 {depth = 5 : i64, peel_epilogue} : (!transform.any_op) -> !transform.any_op
    }, {
      %steps_6 = transform.structured.match ops{["scf.for"]} in %kernel : (!transform.any_op) -> !transform.any_op
      %ahead_6 = transform.nvgpu.pipeline_shared_memory_copies failures(propagate) %steps_6 {depth = 6 : i64, peel_epilogue} : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
