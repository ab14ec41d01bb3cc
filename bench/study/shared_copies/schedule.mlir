// A matrix product whose operands are staged through workgroup memory: 64 and 32 of
// the threads of a block share the copy of a tile, in the widest pieces that fit, and
// all multiply. All sizes are open.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %block_m = transform.tune.knob<"block_m"> options = {}
        {formwork.range = [8, 128, 8]} -> !transform.param<i64>
    %block_n = transform.tune.knob<"block_n"> options = {}
        {formwork.range = [8, 128, 8]} -> !transform.param<i64>
    %block_k = transform.tune.knob<"block_k"> options = {}
        {formwork.range = [8, 128, 8]} -> !transform.param<i64>
    %align = transform.tune.knob<"align"> options = {}
        {formwork.range = [4, 64, 4]} -> !transform.param<i64>
    %thread_m = transform.tune.knob<"thread_m"> options = {}
        {formwork.range = [1, 8]} -> !transform.param<i64>
    %thread_n = transform.tune.knob<"thread_n"> options = {}
        {formwork.range = [1, 8]} -> !transform.param<i64>
    %step_k = transform.tune.knob<"step_k"> options = {}
        {formwork.range = [2, 16]} -> !transform.param<i64>

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
    transform.annotate %new_buffer_a "alignment" = %align : !transform.any_op, !transform.param<i64>
    %copy_a_threads, %thread_copy_a = transform.structured.gpu.map_copy_to_threads %copy_a
        total_num_threads = 64 desired_bit_alignment = 128
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %copy_b_threads, %thread_copy_b = transform.structured.gpu.map_copy_to_threads %copy_b
        total_num_threads = 32 desired_bit_alignment = 64
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread_matmul, %matmul_threads = transform.structured.tile_using_forall %staged
        tile_sizes [%thread_m, %thread_n]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %step, %steps = transform.structured.tile_using_for %thread_matmul
        tile_sizes [0, 0, %step_k]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %step {create_named_contraction} : !transform.any_op
    transform.structured.vectorize %thread_fill : !transform.any_op
    transform.structured.vectorize %thread_copy_a : !transform.any_op
    transform.structured.vectorize %thread_copy_b : !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %module
        : (!transform.any_op) -> !transform.any_op
    // Without the fill of the whole result, which no one needs any more.
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op

    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %kernel_func = transform.structured.match ops{["func.func"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %kernel_func generate_gpu_launch
        : (!transform.any_op) -> !transform.any_op
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [16, 16, 1]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
