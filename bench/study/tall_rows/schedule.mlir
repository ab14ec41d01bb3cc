// An elementwise kernel with one block for some rows of a tall matrix, more rows than a
// grid has blocks along y. A thread has some of them, as vectors that cover its tile, and
// that are masked where a thread at the end has less. All sizes are open.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %block_r = transform.tune.knob<"block_r"> options = {}
        {formwork.range = [0, 96]} -> !transform.param<i64>
    %block_c = transform.tune.knob<"block_c"> options = [0, 4, 8]
        -> !transform.param<i64>
    %thread_r = transform.tune.knob<"thread_r"> options = {}
        {formwork.range = [0, 12]} -> !transform.param<i64>
    %thread_c = transform.tune.knob<"thread_c"> options = [0, 2, 4, 8]
        -> !transform.param<i64>
    %vector_r = transform.tune.knob<"vector_r"> options = {}
        {formwork.range = [1, 16]} -> !transform.param<i64>
    %vector_c = transform.tune.knob<"vector_c"> options = [2, 4, 8]
        -> !transform.param<i64>

    %axpy = transform.structured.match ops{["linalg.generic"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %block, %blocks = transform.structured.tile_using_forall %axpy
        tile_sizes [%block_r, %block_c]
        (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %thread, %threads = transform.structured.tile_using_forall %block
        tile_sizes [%thread_r, %thread_c]
        (mapping = [#gpu.thread<x>, #gpu.thread<y>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %thread vector_sizes [%vector_r, %vector_c]
        : !transform.any_op, !transform.param<i64>, !transform.param<i64>

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
