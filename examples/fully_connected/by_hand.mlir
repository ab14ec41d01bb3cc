// The same job for stock mlir-opt: every enabler and the whole lowering, which
// Formwork adds on its own, spelled out. What
// schedule.mlir does not have is marked.
//
//   mlir-opt payload.mlir \
//     --transform-preload-library=transform-library-paths=by_hand.mlir \
//     --transform-interpreter
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %elementwise = transform.structured.match ops{["linalg.elementwise"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %bias, %relu = transform.split_handle %elementwise
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %block_relu, %blocks = transform.structured.tile_using_forall %relu
        tile_sizes [16, 64] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %block_bias, %blocks_1 =
        transform.structured.fuse_into_containing_op %bias into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %block_matmul, %blocks_2 =
        transform.structured.fuse_into_containing_op %matmul into %blocks_1
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %block_fill, %blocks_3 =
        transform.structured.fuse_into_containing_op %fill into %blocks_2
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %thread_relu, %threads = transform.structured.tile_using_forall %block_relu
        tile_sizes [4, 4] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread_bias, %threads_1 =
        transform.structured.fuse_into_containing_op %block_bias into %threads
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %thread_matmul, %threads_2 =
        transform.structured.fuse_into_containing_op %block_matmul into %threads_1
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %thread_fill, %threads_3 =
        transform.structured.fuse_into_containing_op %block_fill into %threads_2
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %step, %reduction = transform.structured.tile_using_for %thread_matmul
        tile_sizes [0, 0, 8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %module
        : (!transform.any_op) -> !transform.any_op

    // Enabler: static shapes before vectorization.
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.scf.for_loop_canonicalization
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op

    %vectorized =
        transform.structured.vectorize_children_and_apply_patterns %func
        : (!transform.any_op) -> !transform.any_op

    // Enablers: accumulators in registers, no temporary buffers.
    transform.apply_patterns to %vectorized {
      transform.apply_patterns.vector.cast_away_vector_leading_one_dim
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %loops = transform.structured.match interface{LoopLikeInterface} in %vectorized
        : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loops : !transform.any_op
    %fors = transform.structured.match ops{["scf.for"]} in %vectorized
        : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %fors : !transform.any_op
    transform.apply_patterns to %vectorized {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.bufferization.eliminate_empty_tensors %vectorized
        : !transform.any_op

    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %kernel_func = transform.structured.match ops{["func.func"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op

    // Enabler: no copies of a buffer onto itself.
    transform.apply_patterns to %kernel_func {
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op

    %launch = transform.gpu.map_forall_to_blocks %kernel_func generate_gpu_launch
        : (!transform.any_op) -> !transform.any_op
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [16, 4, 1]
        : (!transform.any_op) -> !transform.any_op

    // The lowering.
    %abi = transform.apply_registered_pass "buffer-results-to-out-params"
        with options = {"hoist-static-allocs" = true,
                        "modify-public-functions" = true}
        to %bufferized : (!transform.any_op) -> !transform.any_op
    %host = transform.structured.match ops{["func.func"]} in %abi
        : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %host {
      transform.apply_patterns.vector.cast_away_vector_leading_one_dim
      transform.apply_patterns.vector.lower_contraction
          lowering_strategy = "outerproduct"
      transform.apply_patterns.vector.lower_outerproduct
      transform.apply_patterns.vector.lower_multi_reduction
      transform.apply_patterns.vector.lower_broadcast
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.vector.lower_transpose
      transform.apply_patterns.vector.lower_shape_cast
      transform.apply_patterns.vector.transfer_to_scf full_unroll = true
      transform.apply_patterns.vector.lower_transfer max_transfer_rank = 1
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op
    %sunk = transform.apply_registered_pass "gpu-launch-sink-index-computations"
        to %host : (!transform.any_op) -> !transform.any_op
    %outlined = transform.apply_registered_pass "gpu-kernel-outlining"
        to %abi : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
