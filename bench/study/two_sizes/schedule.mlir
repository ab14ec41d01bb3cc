// An elementwise kernel with blocks whose columns are made up of tiles of two sizes, which
// upstream computes: the columns of the smaller ones are split off, and both parts have
// threads of their own, those of the larger ones with vectors that may be longer than what
// a thread has. All sizes are open.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %block_r = transform.tune.knob<"block_r"> options = {}
        {formwork.range = [1, 64]} -> !transform.param<i64>
    %block_c = transform.tune.knob<"block_c"> options = {}
        {formwork.range = [2, 240]} -> !transform.param<i64>
    %head_r = transform.tune.knob<"head_r"> options = {}
        {formwork.range = [1, 16]} -> !transform.param<i64>
    %tail_r = transform.tune.knob<"tail_r"> options = {}
        {formwork.range = [1, 16]} -> !transform.param<i64>
    %vector_r = transform.tune.knob<"vector_r"> options = {}
        {formwork.range = [1, 16]} -> !transform.param<i64>
    %vector_c = transform.tune.knob<"vector_c"> options = {}
        {formwork.range = [2, 16, 2]} -> !transform.param<i64>

    %axpy = transform.structured.match ops{["linalg.generic"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %block, %blocks = transform.structured.tile_using_forall %axpy
        tile_sizes [%block_r, %block_c]
        (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %low, %high, %point = transform.structured.multitile_sizes %block
        {dimension = 1, target_size = 8, divisor = 2}
        : (!transform.any_op) -> !transform.param<i64>
    %parts = transform.structured.split %block after %point {dimension = 1}
        : !transform.any_op, !transform.param<i64>
    %head, %tail = transform.split_handle %parts
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread_head, %head_threads = transform.structured.tile_using_forall %head
        tile_sizes [%head_r, %low]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %thread_tail, %tail_threads = transform.structured.tile_using_forall %tail
        tile_sizes [%tail_r, %high]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %thread_head : !transform.any_op
    transform.structured.vectorize %thread_tail vector_sizes [%vector_r, %vector_c]
        : !transform.any_op, !transform.param<i64>, !transform.param<i64>

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
