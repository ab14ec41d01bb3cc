// As `schedule.mlir`, with tiles, warps, buffers and layouts left open: `formwork solve`
// finds values for the knobs, and `compile` chooses some on the way. What values fit each
// other follows from the steps.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    // One block computes a tile of the result, so many steps of the sum at a time.
    %block_m = transform.tune.knob<"block_m"> options = [64, 128]
        -> !transform.param<i64>
    %block_n = transform.tune.knob<"block_n"> options = [64, 128]
        -> !transform.param<i64>
    %step_k = transform.tune.knob<"step_k"> options = [16, 32, 64]
        -> !transform.param<i64>
    // Its warps share the rows and the columns of that.
    %warps_m = transform.tune.knob<"warps_m"> options = [1, 2, 4]
        -> !transform.param<i64>
    %warps_n = transform.tune.knob<"warps_n"> options = [1, 2, 4]
        -> !transform.param<i64>
    %threads = transform.tune.knob<"threads"> options = [128, 256]
        -> !transform.param<i64>
    // Buffers for copies that are under way, with rows that are swizzled or padded.
    %depth = transform.tune.knob<"depth"> options = [2, 3]
        -> !transform.param<i64>
    %swizzled = transform.tune.knob<"swizzled"> options = [0, 1]
        -> !transform.param<i64>
    %padding = transform.tune.knob<"padding"> options = [0, 8]
        -> !transform.param<i64>

    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %tile, %blocks = transform.structured.tile_using_forall %matmul
        tile_sizes [%block_m, %block_n]
        (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %tile_fill, %blocks_filled =
        transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %step, %reduction = transform.structured.tile_using_for %tile
        tile_sizes [0, 0, %step_k]
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
        transform.formwork.stage %write operands = [0] padding = [8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %copies, %buffers = transform.formwork.stage %product operands = [0, 1]
        padding = [%padding] swizzle = [%swizzled]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    transform.formwork.contract_on_tensor_cores %product
        warps = [%warps_m, %warps_n]
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
