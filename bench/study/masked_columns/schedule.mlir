// An elementwise kernel on columns of which no type says how many they are: a vector is
// as long as a knob says, and masked. All sizes are open.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %block_r = transform.tune.knob<"block_r"> options = {}
        {formwork.range = [1, 192]} -> !transform.param<i64>
    %thread_r = transform.tune.knob<"thread_r"> options = {}
        {formwork.range = [1, 8]} -> !transform.param<i64>
    %vector_r = transform.tune.knob<"vector_r"> options = {}
        {formwork.range = [-4, 16]} -> !transform.param<i64>
    %vector_c = transform.tune.knob<"vector_c"> options = [-8, 0, 8, 16, 32]
        -> !transform.param<i64>

    %axpy = transform.structured.match ops{["linalg.generic"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %block, %blocks = transform.structured.tile_using_forall %axpy
        tile_sizes [%block_r] (mapping = [#gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %thread, %threads = transform.structured.tile_using_forall %block
        tile_sizes [%thread_r] (mapping = [#gpu.thread<x>])
        : (!transform.any_op, !transform.param<i64>)
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
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [32, 1, 1]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
