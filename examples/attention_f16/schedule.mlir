// As `attention`, with both products on tensor cores. Each of four warps has rows of
// its own, so that the maximum and the sum of a row stay in it, and so do the weights:
// what the first product leaves in registers, the second one takes. Keys and values are
// copied a step ahead. The result goes through workgroup memory, so that each thread
// writes 16 bytes; a head of 128 elements needs more of that than a kernel can declare.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
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
        tile_sizes [64] (mapping = [#gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tile, %blocks_summed =
        transform.structured.fuse_into_containing_op %values into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %fill, %blocks_filled =
        transform.structured.fuse_into_containing_op %values_fill into %blocks_summed
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %product, %loop = transform.formwork.online_softmax %tile step = [64]
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
        swizzle
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %value_copies, %value_buffers =
        transform.formwork.stage %of_values operands = [1] swizzle
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.formwork.contract_on_tensor_cores %products warps = [4, 1]
        : (!transform.any_op) -> ()
    %shared = transform.formwork.distribute_vectors %launch threads = [128]
        : (!transform.any_op) -> !transform.any_op
    %steps = transform.structured.match ops{["scf.for"]} in %shared
        : (!transform.any_op) -> !transform.any_op
    %pipelined = transform.formwork.pipeline_copies %steps depth = [2]
        : (!transform.any_op) -> !transform.any_op
    %kernel = transform.structured.match ops{["gpu.launch"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    transform.formwork.use_dynamic_workgroup_memory %kernel
        : (!transform.any_op) -> ()
    transform.yield
  }
}
