// A block computes 64 rows of the result. It goes along the keys, 32 at a time: scores
// and weights are in registers and workgroup memory, never in global memory. If the last
// block has fewer rows, what is beyond the end is read as zero.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %values = transform.structured.match ops{["linalg.matmul"]} attributes {values} in %module
        : (!transform.any_op) -> !transform.any_op
    %values_fill = transform.structured.match ops{["linalg.fill"]} attributes {values} in %module
        : (!transform.any_op) -> !transform.any_op
    %scale = transform.structured.match ops{["linalg.generic"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %scores = transform.structured.match ops{["linalg.matmul"]} attributes {scores} in %module
        : (!transform.any_op) -> !transform.any_op
    %scores_fill = transform.structured.match ops{["linalg.fill"]} attributes {scores} in %module
        : (!transform.any_op) -> !transform.any_op
    %tile, %blocks = transform.structured.tile_using_forall %values
        tile_sizes [64] (mapping = [#gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill, %blocks_filled =
        transform.structured.fuse_into_containing_op %values_fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %product, %loop = transform.formwork.online_softmax %tile step = [32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
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

    %steps = transform.structured.match interface{LinalgOp} in %blocks_filled
        : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %steps sizes = []
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
    %copies, %buffers = transform.formwork.stage %products operands = [0, 1]
        padding = [4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %shared = transform.formwork.distribute_vectors %launch threads = [16, 16, 1]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
