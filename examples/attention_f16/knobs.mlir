// As `schedule.mlir`, with tiles, warps, buffers and layouts left open: `formwork solve`
// finds values for the knobs, and `compile` chooses some on the way. What values fit each
// other follows from the steps.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    // One block computes so many queries, and goes along so many keys at a time.
    %queries = transform.tune.knob<"queries"> options = [32, 64, 128]
        -> !transform.param<i64>
    %keys = transform.tune.knob<"keys"> options = [32, 64]
        -> !transform.param<i64>
    // Each of its warps has queries of its own.
    %warps = transform.tune.knob<"warps"> options = [1, 2, 4, 8]
        -> !transform.param<i64>
    %threads = transform.tune.knob<"threads"> options = [64, 128, 256]
        -> !transform.param<i64>
    // Buffers for copies that are under way, with rows that are swizzled or padded.
    %depth = transform.tune.knob<"depth"> options = [2, 3]
        -> !transform.param<i64>
    %swizzled = transform.tune.knob<"swizzled"> options = [0, 1]
        -> !transform.param<i64>
    %padding = transform.tune.knob<"padding"> options = [0, 8]
        -> !transform.param<i64>

    %values = transform.structured.match ops{["linalg.matmul"]} attributes {values} in %module
        : (!transform.any_op) -> !transform.any_op
    %values_fill = transform.structured.match ops{["linalg.fill"]} attributes {values} in %module
        : (!transform.any_op) -> !transform.any_op
    %scale = transform.structured.match attributes {scale} in %module
        : (!transform.any_op) -> !transform.any_op
    %scores = transform.structured.match ops{["linalg.matmul"]} attributes {scores} in %module
        : (!transform.any_op) -> !transform.any_op
    %scores_fill = transform.structured.match ops{["linalg.fill"]} attributes {scores} in %module
        : (!transform.any_op) -> !transform.any_op
    %result = transform.structured.match attributes {result} in %module
        : (!transform.any_op) -> !transform.any_op
    %rows, %blocks = transform.structured.tile_using_forall %result
        tile_sizes [%queries] (mapping = [#gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %tile, %blocks_summed =
        transform.structured.fuse_into_containing_op %values into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %fill, %blocks_filled =
        transform.structured.fuse_into_containing_op %values_fill into %blocks_summed
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %product, %loop = transform.formwork.online_softmax %tile step = [%keys]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %scaled, %loop_scaled =
        transform.structured.fuse_into_containing_op %scale into %loop
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %scored, %loop_scored =
        transform.structured.fuse_into_containing_op %scores into %loop_scaled
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %score_fill, %loop_filled =
        transform.structured.fuse_into_containing_op %scores_fill into %loop_scored
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)

    %operations = transform.structured.match interface{LinalgOp} in %blocks_filled
        : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %operations sizes = []
        : (!transform.any_op) -> ()

    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %kernel_func = transform.structured.match ops{["func.func"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %kernel_func generate_gpu_launch
        : (!transform.any_op) -> !transform.any_op
    %products = transform.structured.match ops{["vector.contract"]} in %launch
        : (!transform.any_op) -> !transform.any_op
    %write = transform.structured.match ops{["vector.transfer_write"]} in %launch
        : (!transform.any_op) -> !transform.any_op
    %results, %result_buffer = transform.formwork.stage %write operands = [0] swizzle
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %of_scores, %of_values = transform.split_handle %products
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %copies, %buffers = transform.formwork.stage %of_scores operands = [0, 1]
        padding = [%padding] swizzle = [%swizzled]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %value_copies, %value_buffers =
        transform.formwork.stage %of_values operands = [1]
        padding = [%padding] swizzle = [%swizzled]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    transform.formwork.contract_on_tensor_cores %products warps = [%warps, 1]
        : (!transform.any_op, !transform.param<i64>) -> ()
    %shared = transform.formwork.distribute_vectors %launch threads = [%threads]
        : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    %steps = transform.structured.match ops{["scf.for"]} in %shared
        : (!transform.any_op) -> !transform.any_op
    %pipelined = transform.formwork.pipeline_copies %steps depth = [%depth]
        : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    %kernel = transform.structured.match ops{["gpu.launch"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    transform.formwork.use_dynamic_workgroup_memory %kernel
        : (!transform.any_op) -> ()
    transform.yield
  }
}
