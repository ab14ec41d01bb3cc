// examples/softmax with open sizes: the rows of a block, and the threads that share rows
// and columns.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %block_rows = transform.tune.knob<"block_rows"> options = [1, 2, 4, 8]
        -> !transform.param<i64>
    %row_threads = transform.tune.knob<"row_threads"> options = [1, 2, 4, 8]
        -> !transform.param<i64>
    %column_threads = transform.tune.knob<"column_threads"> options = [16, 32, 64, 128, 256]
        -> !transform.param<i64>

    %softmax = transform.structured.match ops{["linalg.softmax"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %row, %blocks = transform.structured.tile_using_forall %softmax
        tile_sizes [%block_rows] (mapping = [#gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %parts = transform.structured.decompose_interface %row
        : (!transform.any_op) -> !transform.any_op

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
    %shared = transform.formwork.distribute_vectors %launch threads = [%row_threads, %column_threads]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}
