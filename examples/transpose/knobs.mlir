// examples/transpose with open sizes: the tile, the threads of a block, and by how many
// elements the rows of workgroup memory are longer.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %tile_rows = transform.tune.knob<"tile_rows"> options = [16, 32, 64]
        -> !transform.param<i64>
    %tile_columns = transform.tune.knob<"tile_columns"> options = [16, 32, 64]
        -> !transform.param<i64>
    %threads = transform.tune.knob<"threads"> options = [64, 128, 256, 512]
        -> !transform.param<i64>
    %padding = transform.tune.knob<"padding"> options = [0, 1, 2, 4]
        -> !transform.param<i64>

    %transpose = transform.structured.match ops{["linalg.transpose"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %tile, %blocks = transform.structured.tile_using_forall %transpose
        tile_sizes [%tile_rows, %tile_columns] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)

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
    %write = transform.structured.match ops{["vector.transfer_write"]} in %launch
        : (!transform.any_op) -> !transform.any_op
    %copies, %buffers = transform.formwork.stage %write operands = [0]
        padding = [%padding] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %shared = transform.formwork.distribute_vectors %launch threads = [%threads]
        : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}
