// Tiles, warps, threads and stages of a product on tensor cores, all open. The
// operands come to workgroup memory some steps ahead, in swizzled rows.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %m = transform.tune.knob<"m"> options = [16, 32, 48, 64, 128] -> !transform.param<i64>
    %n = transform.tune.knob<"n"> options = [8, 32, 64, 96, 128] -> !transform.param<i64>
    %k = transform.tune.knob<"k"> options = [8, 16, 24, 32, 64, 128] -> !transform.param<i64>
    %wm = transform.tune.knob<"wm"> options = [1, 2, 4] -> !transform.param<i64>
    %wn = transform.tune.knob<"wn"> options = [1, 2, 4] -> !transform.param<i64>
    %t = transform.tune.knob<"threads"> options = [32, 64, 128, 256] -> !transform.param<i64>
    %d = transform.tune.knob<"depth"> options = [2, 3, 4, 6] -> !transform.param<i64>
    %tile, %blocks = transform.structured.tile_using_forall %matmul
        tile_sizes [%m, %n] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %tile_fill, %blocks_filled =
        transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %step, %reduction = transform.structured.tile_using_for %tile
        tile_sizes [0, 0, %k]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)

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
    %copies, %buffers = transform.formwork.stage %product operands = [0, 1] swizzle
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.formwork.contract_on_tensor_cores %product warps = [%wm, %wn]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> ()
    %shared = transform.formwork.distribute_vectors %launch threads = [%t]
        : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %shared
        : (!transform.any_op) -> !transform.any_op
    %pipelined = transform.formwork.pipeline_copies %loop depth = [%d]
        : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}
