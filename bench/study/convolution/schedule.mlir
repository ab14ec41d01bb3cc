// A convolution with a 3x3 filter: a block has some rows and some filters of one
// image, a thread has a tile of them, and adds some channels of one point of the
// filter at a time. All sizes are open.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %block_h = transform.tune.knob<"block_h"> options = {}
        {formwork.range = [1, 16]} -> !transform.param<i64>
    %block_f = transform.tune.knob<"block_f"> options = {}
        {formwork.range = [2, 32]} -> !transform.param<i64>
    %thread_h = transform.tune.knob<"thread_h"> options = {}
        {formwork.range = [1, 4]} -> !transform.param<i64>
    %thread_w = transform.tune.knob<"thread_w"> options = {}
        {formwork.range = [1, 16]} -> !transform.param<i64>
    %thread_f = transform.tune.knob<"thread_f"> options = {}
        {formwork.range = [1, 8]} -> !transform.param<i64>
    %step_c = transform.tune.knob<"step_c"> options = {}
        {formwork.range = [1, 16]} -> !transform.param<i64>

    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %block_conv, %blocks = transform.structured.tile_using_forall %conv
        tile_sizes [1, %block_h, 0, %block_f]
        (mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %block_fill, %blocks_filled = transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %thread_conv, %threads = transform.structured.tile_using_forall %block_conv
        tile_sizes [0, %thread_h, %thread_w, %thread_f]
        (mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %thread_fill, %threads_filled = transform.structured.fuse_into_containing_op %block_fill into %threads
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %step, %loops:4 = transform.structured.tile_using_for %thread_conv
        tile_sizes [0, 1, 0, 0, 1, 1, %step_c]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %row = transform.structured.decompose %step
        : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %row : !transform.any_op
    transform.structured.vectorize %thread_fill : !transform.any_op

    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %kernel_func = transform.structured.match ops{["func.func"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %kernel_func generate_gpu_launch
        : (!transform.any_op) -> !transform.any_op
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [8, 8, 8]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
