// As convolution_img2col, on tensor cores: two warps compute the 16 places and 64
// channels of a tile, each the columns of every other instruction. The operands come to
// workgroup memory in swizzled rows, a step ahead.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %relu = transform.structured.match ops{["linalg.generic"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %row, %blocks = transform.structured.tile_using_forall %relu
        tile_sizes [1, 1] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %row_conv, %blocks_1 =
        transform.structured.fuse_into_containing_op %conv into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %row_fill, %blocks_2 =
        transform.structured.fuse_into_containing_op %fill into %blocks_1
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %channels = transform.match.structured %row_conv
        : (!transform.any_op) -> !transform.param<i64> {
    ^bb0(%op: !transform.any_op):
      %size = transform.match.structured.dim %op[6]
          : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.yield %size : !transform.param<i64>
    }
    %columns, %unfolded = transform.structured.convert_conv2d_to_img2col %row_conv
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %product = transform.get_producer_of_operand %unfolded[0]
        : (!transform.any_op) -> !transform.any_op
    %place, %places = transform.structured.tile_using_for %product
        tile_sizes [0, 0, 0, %channels]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %place_columns, %places_1 =
        transform.structured.fuse_into_containing_op %columns into %places
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %step, %loop = transform.structured.tile_using_for %place
        tile_sizes [0, 0, 0, 32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %step_columns, %loop_1 =
        transform.structured.fuse_into_containing_op %place_columns into %loop
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    transform.formwork.vectorize_tiles %row_fill sizes = [1, 1, 16, 64]
        : (!transform.any_op) -> ()
    transform.formwork.vectorize_tiles %step_columns sizes = [1, 16, 32]
        : (!transform.any_op) -> ()
    transform.formwork.vectorize_tiles %step sizes = [1, 16, 64, 32]
        : (!transform.any_op) -> ()
    transform.formwork.vectorize_tiles %row sizes = [1, 1, 16, 64]
        : (!transform.any_op) -> ()

    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %tiles = transform.structured.match ops{["scf.forall"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    %launch = transform.formwork.map_forall_to_blocks %tiles
        : (!transform.any_op) -> !transform.any_op
    %contract = transform.structured.match ops{["vector.contract"]} in %launch
        : (!transform.any_op) -> !transform.any_op
    %copies, %buffers = transform.formwork.stage %contract operands = [0, 1]
        swizzle : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.formwork.contract_on_tensor_cores %contract warps = [1, 2]
        : (!transform.any_op) -> ()
    %shared = transform.formwork.distribute_vectors %launch threads = [64]
        : (!transform.any_op) -> !transform.any_op
    %meetings = transform.structured.match ops{["gpu.barrier"]} in %shared
        : (!transform.any_op) -> !transform.any_op
    %copied = transform.get_parent_op %meetings {deduplicate, op_name = "scf.for"}
        : (!transform.any_op) -> !transform.any_op
    %pipelined = transform.formwork.pipeline_copies %copied depth = [2]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
