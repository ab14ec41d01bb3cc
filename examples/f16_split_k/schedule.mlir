// The sum is split over 16 blocks for each tile of 64x64, so that the few tiles of the
// result fill a device. Each block multiplies on tensor cores as in f16_matmul, and
// writes what it has added up; a second kernel adds that.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %empty, %split_fill, %split, %sum =
        transform.structured.split_reduction %matmul
        {split_factor = 16, insert_split_dimension = 0}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op,
                                  !transform.any_op, !transform.any_op)
    %tile, %blocks = transform.structured.tile_using_forall %split
        tile_sizes [1, 64, 64] (mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tile_fill, %blocks_filled =
        transform.structured.fuse_into_containing_op %split_fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %step, %reduction = transform.structured.tile_using_for %tile
        tile_sizes [0, 0, 0, 32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %sum_tile, %sum_blocks = transform.structured.tile_using_forall %sum
        tile_sizes [0, 8, 64] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %sum_fill, %sum_blocks_filled =
        transform.structured.fuse_into_containing_op %fill into %sum_blocks
        : (!transform.any_op, !transform.any_op)
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
    %loops = transform.structured.match ops{["scf.forall"]} in %kernel_func
        : (!transform.any_op) -> !transform.any_op
    %launches = transform.formwork.map_forall_to_blocks %loops
        : (!transform.any_op) -> !transform.any_op
    %launch, %sum_launch = transform.split_handle %launches
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %product = transform.structured.match ops{["vector.contract"]} in %launch
        : (!transform.any_op) -> !transform.any_op
    %write = transform.structured.match ops{["vector.transfer_write"]} in %launch
        : (!transform.any_op) -> !transform.any_op
    %results, %result_buffer =
        transform.formwork.stage %write operands = [0] padding = [8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %copies, %buffers = transform.formwork.stage %product operands = [0, 1] swizzle
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.formwork.contract_on_tensor_cores %product warps = [2, 2]
        : (!transform.any_op) -> ()
    %shared = transform.formwork.distribute_vectors %launch threads = [128]
        : (!transform.any_op) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %shared
        : (!transform.any_op) -> !transform.any_op
    %pipelined = transform.formwork.pipeline_copies %loop depth = [3]
        : (!transform.any_op) -> !transform.any_op
    transform.formwork.use_dynamic_workgroup_memory %shared reuse
        : (!transform.any_op) -> ()

    %sum_shared = transform.formwork.distribute_vectors %sum_launch threads = [128]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
