// An elementwise operation whose rows are split: the threads of a block share what is
// before the split, then what is behind it, each in vectors of its own width. The
// shape of a block is a choice, too.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %block_r = transform.tune.knob<"block_r"> options = {}
        {formwork.range = [1, 64]} -> !transform.param<i64>
    %block_c = transform.tune.knob<"block_c"> options = {}
        {formwork.range = [4, 240, 4]} -> !transform.param<i64>
    %first = transform.tune.knob<"first"> options = {}
        {formwork.range = [0, 160, 4]} -> !transform.param<i64>
    %head_r = transform.tune.knob<"head_r"> options = {}
        {formwork.range = [1, 16]} -> !transform.param<i64>
    %head_c = transform.tune.knob<"head_c"> options = {}
        {formwork.range = [2, 16]} -> !transform.param<i64>
    %tail_r = transform.tune.knob<"tail_r"> options = {}
        {formwork.range = [1, 16]} -> !transform.param<i64>
    %tail_c = transform.tune.knob<"tail_c"> options = {}
        {formwork.range = [2, 16]} -> !transform.param<i64>
    %shape = transform.tune.knob<"shape"> options = [0, 1, 2, 3]
        -> !transform.param<i64>

    %axpy = transform.structured.match ops{["linalg.generic"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %block, %blocks = transform.structured.tile_using_forall %axpy
        tile_sizes [%block_r, %block_c]
        (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %parts = transform.structured.split %block after %first {dimension = 1}
        : !transform.any_op, !transform.param<i64>
    %head, %tail = transform.split_handle %parts
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread_head, %head_threads = transform.structured.tile_using_forall %head
        tile_sizes [%head_r, %head_c]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %thread_tail, %tail_threads = transform.structured.tile_using_forall %tail
        tile_sizes [%tail_r, %tail_c]
        (mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %thread_head : !transform.any_op
    transform.structured.vectorize %thread_tail : !transform.any_op

    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %kernel_func = transform.structured.match ops{["func.func"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %kernel_func generate_gpu_launch
        grid_dims = [16, 12, 1]
        : (!transform.any_op) -> !transform.any_op
    transform.tune.alternatives<"block_shape"> selected_region = %shape : !transform.param<i64> {
      transform.gpu.map_nested_forall_to_threads %launch block_dims = [32, 8, 1]
          : (!transform.any_op) -> !transform.any_op
    }, {
      transform.gpu.map_nested_forall_to_threads %launch block_dims = [8, 16, 1]
          : (!transform.any_op) -> !transform.any_op
    }, {
      transform.gpu.map_nested_forall_to_threads %launch block_dims = [64, 16, 2]
          : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
