// A batched matrix product: a tile for each block, a tile of it for each of
// 16x16 threads, and some steps of the reduction at a time. All sizes are open.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %block_b = transform.tune.knob<"block_b"> options = {}
        {formwork.range = [1, 4]} -> !transform.param<i64>
    %block_m = transform.tune.knob<"block_m"> options = {}
        {formwork.range = [4, 96, 4]} -> !transform.param<i64>
    %block_n = transform.tune.knob<"block_n"> options = {}
        {formwork.range = [4, 160, 4]} -> !transform.param<i64>
    %thread_m = transform.tune.knob<"thread_m"> options = {}
        {formwork.range = [1, 8]} -> !transform.param<i64>
    %thread_n = transform.tune.knob<"thread_n"> options = {}
        {formwork.range = [1, 8]} -> !transform.param<i64>
    %step_k = transform.tune.knob<"step_k"> options = {}
        {formwork.range = [2, 16]} -> !transform.param<i64>

    %matmul = transform.structured.match ops{["linalg.batch_matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %block_matmul, %blocks = transform.structured.tile_using_forall %matmul
        tile_sizes [%block_b, %block_m, %block_n]
        (mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %block_fill, %blocks_filled = transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %thread_matmul, %threads = transform.structured.tile_using_forall %block_matmul
        tile_sizes [1, %thread_m, %thread_n]
        (mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %thread_fill, %threads_filled = transform.structured.fuse_into_containing_op %block_fill into %threads
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %step, %reduction = transform.structured.tile_using_for %thread_matmul
        tile_sizes [0, 0, 0, %step_k]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %step {create_named_contraction} : !transform.any_op
    transform.structured.vectorize %thread_fill : !transform.any_op

    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %kernel_func = transform.structured.match ops{["func.func"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %kernel_func generate_gpu_launch
        : (!transform.any_op) -> !transform.any_op
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [16, 16, 4]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
