// An elementwise product and a reduction, fused: a block has some rows of some
// matrices, a thread has some rows of one of them, and sums some columns at a
// time. All sizes are open.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %block_b = transform.tune.knob<"block_b"> options = {}
        {formwork.range = [1, 16]} -> !transform.param<i64>
    %block_r = transform.tune.knob<"block_r"> options = {}
        {formwork.range = [1, 96]} -> !transform.param<i64>
    %thread_r = transform.tune.knob<"thread_r"> options = {}
        {formwork.range = [1, 8]} -> !transform.param<i64>
    %step = transform.tune.knob<"step"> options = {}
        {formwork.range = [2, 40]} -> !transform.param<i64>

    %sum = transform.structured.match attributes {reduce} in %module
        : (!transform.any_op) -> !transform.any_op
    %scale = transform.structured.match attributes {scale} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %block_sum, %blocks = transform.structured.tile_using_forall %sum
        tile_sizes [%block_b, %block_r]
        (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %block_fill, %blocks_1 = transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %block_scale, %blocks_2 = transform.structured.fuse_into_containing_op %scale into %blocks_1
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %thread_sum, %threads = transform.structured.tile_using_forall %block_sum
        tile_sizes [1, %thread_r]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %thread_fill, %threads_1 = transform.structured.fuse_into_containing_op %block_fill into %threads
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %thread_scale, %threads_2 = transform.structured.fuse_into_containing_op %block_scale into %threads_1
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %step_sum, %reduction = transform.structured.tile_using_for %thread_sum
        tile_sizes [0, 0, %step]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %step_scale, %reduction_1 = transform.structured.fuse_into_containing_op %thread_scale into %reduction
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %step_sum : !transform.any_op
    transform.structured.vectorize %step_scale : !transform.any_op
    transform.structured.vectorize %thread_fill : !transform.any_op

    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %kernel_func = transform.structured.match ops{["func.func"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %kernel_func generate_gpu_launch
        : (!transform.any_op) -> !transform.any_op
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [32, 8, 1]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
