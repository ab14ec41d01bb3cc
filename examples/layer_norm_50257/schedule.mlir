// A block normalizes one row; its twelve warps share it, 16 bytes at a time, although
// rows start anywhere and the weights do not. The row is read once, and stays in
// registers until it is written.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %steps = transform.structured.match ops{["linalg.generic"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %sum, %center, %squares, %scale = transform.split_handle %steps
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op,
                                  !transform.any_op, !transform.any_op)
    %row, %blocks = transform.structured.tile_using_forall %scale
        tile_sizes [1] (mapping = [#gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %row_squares, %blocks_1 =
        transform.structured.fuse_into_containing_op %squares into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %row_center, %blocks_2 =
        transform.structured.fuse_into_containing_op %center into %blocks_1
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %row_sum, %blocks_3 =
        transform.structured.fuse_into_containing_op %sum into %blocks_2
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %row_fill, %blocks_4 =
        transform.structured.fuse_into_containing_op %fill into %blocks_3
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)

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
    %shared = transform.formwork.distribute_vectors %launch threads = [384]
        wide_rows
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
