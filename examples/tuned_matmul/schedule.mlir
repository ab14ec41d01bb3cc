// A matmul whose tile sizes are left open: `formwork solve` finds values for
// the knobs, and writes this schedule with them filled in.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    // One block computes a tile of the product.
    %block_m = transform.tune.knob<"block_m"> options = [16, 32, 48, 64, 96]
        -> !transform.param<i64>
    %block_n = transform.tune.knob<"block_n"> options = {}
        {formwork.range = [8, 160, 8]} -> !transform.param<i64>
    // One thread computes a tile of that, with rows of a power of two.
    %thread_m = transform.tune.knob<"thread_m"> options = {}
        {formwork.range = [1, 16]} -> !transform.param<i64>
    %thread_n = transform.tune.knob<"thread_n"> options = {}
        {formwork.range = [1, 16], formwork.power_of_two}
        -> !transform.param<i64>
    // So many steps of the reduction at a time.
    %step_k = transform.tune.knob<"step_k"> options = {}
        {formwork.divides = 64, formwork.range = [4, 16]}
        -> !transform.param<i64>

    // What the steps below do not say: the tiles divide each other, there are
    // 64 to 256 threads, at most 16 along each dimension, and one thread keeps
    // at most 64 accumulators in registers.
    transform.smt.constrain_params(%block_m, %block_n, %thread_m, %thread_n)
        : (!transform.param<i64>, !transform.param<i64>,
           !transform.param<i64>, !transform.param<i64>) -> () {
    ^bb0(%bm: !smt.int, %bn: !smt.int, %tm: !smt.int, %tn: !smt.int):
      %zero = smt.int.constant 0
      %m = smt.int.constant 192
      %n = smt.int.constant 160
      %rest_m = smt.int.mod %m, %bm
      %rest_n = smt.int.mod %n, %bn
      %blocks_divide = smt.eq %zero, %rest_m, %rest_n : !smt.int
      smt.assert %blocks_divide
      %rest_tm = smt.int.mod %bm, %tm
      %rest_tn = smt.int.mod %bn, %tn
      %threads_divide = smt.eq %zero, %rest_tm, %rest_tn : !smt.int
      smt.assert %threads_divide

      %rows = smt.int.div %bm, %tm
      %columns = smt.int.div %bn, %tn
      %sixteen = smt.int.constant 16
      %few_rows = smt.int.cmp le %rows, %sixteen
      smt.assert %few_rows
      %few_columns = smt.int.cmp le %columns, %sixteen
      smt.assert %few_columns
      %threads = smt.int.mul %rows, %columns
      %least = smt.int.constant 64
      %enough = smt.int.cmp ge %threads, %least
      smt.assert %enough

      %accumulators = smt.int.mul %tm, %tn
      %registers = smt.int.constant 64
      %fits = smt.int.cmp le %accumulators, %registers
      smt.assert %fits
    }

    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %block_matmul, %blocks = transform.structured.tile_using_forall %matmul
        tile_sizes [%block_m, %block_n]
        (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %block_fill, %blocks_filled =
        transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %thread_matmul, %threads =
        transform.structured.tile_using_forall %block_matmul
        tile_sizes [%thread_m, %thread_n]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    %thread_fill, %threads_filled =
        transform.structured.fuse_into_containing_op %block_fill into %threads
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %step, %reduction = transform.structured.tile_using_for %thread_matmul
        tile_sizes [0, 0, %step_k]
        : (!transform.any_op, !transform.param<i64>)
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
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [16, 16, 1]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
