// examples/f32_matmul with open sizes: the tile of a block, the step of the sum, and the
// threads that share rows and columns.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %block_m = transform.tune.knob<"block_m"> options = [32, 64, 128]
        -> !transform.param<i64>
    %block_n = transform.tune.knob<"block_n"> options = [32, 64, 128]
        -> !transform.param<i64>
    %step_k = transform.tune.knob<"step_k"> options = [8, 16, 32]
        -> !transform.param<i64>
    %row_threads = transform.tune.knob<"row_threads"> options = [8, 16]
        -> !transform.param<i64>
    %column_threads = transform.tune.knob<"column_threads"> options = [8, 16]
        -> !transform.param<i64>

    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %tile, %blocks = transform.structured.tile_using_forall %matmul
        tile_sizes [%block_m, %block_n] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %tile_fill, %blocks_filled =
        transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %step, %reduction = transform.structured.tile_using_for %tile
        tile_sizes [0, 0, %step_k]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)

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
    %product = transform.structured.match ops{["vector.contract"]} in %launch
        : (!transform.any_op) -> !transform.any_op
    %copies, %buffers = transform.formwork.stage %product operands = [0, 1]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %shared = transform.formwork.distribute_vectors %launch threads = [%row_threads, %column_threads, 1]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}
