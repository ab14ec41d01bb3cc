// A matrix product on tensor cores: a block has one warp for each part of its tile,
// and a warp multiplies in pieces that one instruction takes. All sizes are open.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %block_m = transform.tune.knob<"block_m"> options = {}
        {formwork.range = [8, 128, 8]} -> !transform.param<i64>
    %block_n = transform.tune.knob<"block_n"> options = {}
        {formwork.range = [8, 128, 8]} -> !transform.param<i64>
    %warp_m = transform.tune.knob<"warp_m"> options = {}
        {formwork.range = [8, 64, 8]} -> !transform.param<i64>
    %warp_n = transform.tune.knob<"warp_n"> options = {}
        {formwork.range = [8, 64, 8]} -> !transform.param<i64>
    %fill_m = transform.tune.knob<"fill_m"> options = {}
        {formwork.range = [1, 32]} -> !transform.param<i64>
    %fill_n = transform.tune.knob<"fill_n"> options = {}
        {formwork.range = [1, 32]} -> !transform.param<i64>
    %mma_m = transform.tune.knob<"mma_m"> options = {}
        {formwork.range = [8, 32, 8]} -> !transform.param<i64>
    %mma_n = transform.tune.knob<"mma_n"> options = {}
        {formwork.range = [8, 32, 8]} -> !transform.param<i64>
    %mma_k = transform.tune.knob<"mma_k"> options = {}
        {formwork.range = [4, 32, 4]} -> !transform.param<i64>

    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %block_matmul, %blocks = transform.structured.tile_using_forall %matmul
        tile_sizes [%block_m, %block_n]
        (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %block_fill, %blocks_filled = transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %thread_fill, %fill_threads = transform.structured.tile_using_forall %block_fill
        tile_sizes [%fill_m, %fill_n]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %warp_matmul, %warps = transform.structured.tile_using_forall %block_matmul
        tile_sizes [%warp_m, %warp_n]
        (mapping = [#gpu.warp<z>, #gpu.warp<y>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %piece, %loops:3 = transform.structured.tile_using_for %warp_matmul
        tile_sizes [%mma_m, %mma_n, %mma_k]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %thread_fill : !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %module
        : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op

    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %kernel_func = transform.structured.match ops{["func.func"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %kernel_func generate_gpu_launch
        : (!transform.any_op) -> !transform.any_op
    %kernel = transform.gpu.map_nested_forall_to_threads %launch block_dims = [32, 4, 2]
        : (!transform.any_op) -> !transform.any_op
    %pieces = transform.structured.match ops{["linalg.matmul"]} in %kernel
        : (!transform.any_op) -> !transform.any_op
    transform.nvgpu.rewrite_matmul_as_mma_sync %pieces
        : (!transform.any_op) -> ()
    transform.yield
  }
}
