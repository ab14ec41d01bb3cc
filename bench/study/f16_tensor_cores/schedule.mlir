// Tiles, warps, threads, stages and layouts of `examples/f16_matmul`, all open. The rows of
// the operands are swizzled or padded, those of the result padded.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %m = transform.tune.knob<"m"> options = [8, 16, 32, 48, 64]
        -> !transform.param<i64>
    %n = transform.tune.knob<"n"> options = [4, 8, 16, 32, 64]
        -> !transform.param<i64>
    %k = transform.tune.knob<"k"> options = [4, 8, 16, 24, 32, 64]
        -> !transform.param<i64>
    %warps_m = transform.tune.knob<"warps_m"> options = [1, 2, 4]
        -> !transform.param<i64>
    %warps_n = transform.tune.knob<"warps_n"> options = [1, 2, 4]
        -> !transform.param<i64>
    %threads = transform.tune.knob<"threads"> options = [32, 64, 128, 256]
        -> !transform.param<i64>
    %depth = transform.tune.knob<"depth"> options = [1, 2, 3, 4, 16]
        -> !transform.param<i64>
    %swizzled_a = transform.tune.knob<"swizzled_a"> options = [0, 1]
        -> !transform.param<i64>
    %padding_a = transform.tune.knob<"padding_a"> options = [0, 4, 8, 16]
        -> !transform.param<i64>
    %swizzled_b = transform.tune.knob<"swizzled_b"> options = [0, 1]
        -> !transform.param<i64>
    %padding_b = transform.tune.knob<"padding_b"> options = [0, 4, 8, 16]
        -> !transform.param<i64>
    %result_padding = transform.tune.knob<"result_padding"> options = [0, 4, 8]
        -> !transform.param<i64>

    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %tile, %blocks = transform.structured.tile_using_forall %matmul
        tile_sizes [%m, %n] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %tile_fill, %blocks_filled =
        transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %step, %reduction = transform.structured.tile_using_for %tile
        tile_sizes [0, 0, %k]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)

    %func = transform.structured.match ops{["func.func"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %vectorized =
        transform.structured.vectorize_children_and_apply_patterns %func
        {fold_type_extensions_into_contract}
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
    %write = transform.structured.match ops{["vector.transfer_write"]} in %launch
        : (!transform.any_op) -> !transform.any_op
    %results, %result_buffer =
        transform.formwork.stage %write operands = [0]
        padding = [%result_padding]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %copies_a, %buffers_a = transform.formwork.stage %product operands = [0]
        padding = [%padding_a]
        swizzle = [%swizzled_a]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %copies_b, %buffers_b = transform.formwork.stage %product operands = [1]
        padding = [%padding_b]
        swizzle = [%swizzled_b]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    transform.formwork.contract_on_tensor_cores %product warps = [%warps_m, %warps_n]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> ()
    %shared = transform.formwork.distribute_vectors %launch threads = [%threads]
        : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %shared
        : (!transform.any_op) -> !transform.any_op
    %pipelined = transform.formwork.pipeline_copies %loop depth = [%depth]
        : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    transform.formwork.use_dynamic_workgroup_memory %shared reuse
        : (!transform.any_op) -> ()
    transform.yield
  }
}
