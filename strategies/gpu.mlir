// Strategies that make kernels of a model without a line of schedule. Print the
// file with --print-strategies; --strategies=FILE uses another one, and
// --strategies=FILE,gpu tries the strategies of FILE first.
//
// A strategy NAME is two sequences:
//
//   @NAME.match    succeeds on the operations that the strategy is for. They are
//                  tried in the order of the file, and the first one that
//                  succeeds takes the operation.
//   @NAME.threads  says what the threads of a block do, of the launch in which
//                  the operation and all that was fused with it are.
//
// The attribute `formwork.strategy` of @NAME.match has the decisions that stand
// between the two:
//
//   fuse       what joins the kernel: "epilogue" (the elementwise operations
//              behind a contraction, and what it adds to), "rows" (all
//              that is computed of the same rows), "points" (all that is
//              computed element by element), or "loops"
//              (around a loop nest, what it adds to, and the elementwise
//              operations behind it)
//   tile       of a contraction: the most rows and columns of a block's tile
//   step       of a contraction: the most steps of the sum at a time
//   multiple   of a contraction: what rows, columns and steps are multiples of
//   elements   otherwise: the most elements of a block's tile
//   threads    the most threads of a block
//
// From these, and from the sizes of the operation, `formwork` writes the tiling
// and the fusion into the schedule, with knobs for the sizes.
module attributes {transform.with_named_sequence} {

  // What happens to the model first: what is elementwise becomes one form, and
  // chains of it one operation.
  transform.named_sequence @prepare(%module: !transform.any_op {transform.consumed}) {
    %inlined = transform.apply_registered_pass "inline" to %module
        : (!transform.any_op) -> !transform.any_op
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %inlined
        : (!transform.any_op) -> !transform.any_op
    %parts = transform.structured.decompose_interface %softmax
        : (!transform.any_op) -> !transform.any_op
    // Sums of f16 and bf16 are made in f32, and rounded once.
    %summed = transform.structured.match interface{LinalgOp} in %inlined
        : (!transform.any_op) -> !transform.any_op
    transform.foreach %summed : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      transform.sequence %op : !transform.any_op failures(suppress) {
      ^bb1(%sum: !transform.any_op):
        %wide, %rounded = transform.formwork.widen_sums %sum
            : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      }
    }
    %named = transform.structured.match ops{[
          "linalg.abs", "linalg.add", "linalg.broadcast", "linalg.ceil",
          "linalg.copy", "linalg.div", "linalg.div_unsigned",
          "linalg.elementwise", "linalg.erf", "linalg.exp", "linalg.floor",
          "linalg.log", "linalg.map", "linalg.max", "linalg.min", "linalg.mul",
          "linalg.negf", "linalg.powf", "linalg.reciprocal", "linalg.reduce",
          "linalg.round", "linalg.rsqrt", "linalg.select", "linalg.sqrt",
          "linalg.square", "linalg.sub", "linalg.tanh", "linalg.transpose"]}
        in %inlined : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %named
        : (!transform.any_op) -> !transform.any_op
    %canonical = transform.apply_registered_pass "canonicalize" to %inlined
        : (!transform.any_op) -> !transform.any_op
    %folded = transform.apply_registered_pass "linalg-fold-unit-extent-dims"
        to %canonical : (!transform.any_op) -> !transform.any_op
    %tidy = transform.apply_registered_pass "canonicalize" to %folded
        : (!transform.any_op) -> !transform.any_op
    %fused = transform.apply_registered_pass "formwork-fuse-elementwise"
        to %tidy : (!transform.any_op) -> !transform.any_op
    %again = transform.apply_registered_pass "canonicalize" to %fused
        : (!transform.any_op) -> !transform.any_op
    %done = transform.apply_registered_pass "cse" to %again
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  // Contractions of f16 and bf16, on tensor cores.
  transform.named_sequence @tensor_contraction.match(%op: !transform.any_op {transform.readonly})
      attributes {formwork.strategy = {fuse = "epilogue", tile = [64, 64],
                                       step = 32, multiple = [32, 16, 16],
                                       threads = 128}} {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%structured: !transform.any_op):
      transform.match.structured.body %structured
        {contraction = ["arith.mulf", "arith.addf"]} : !transform.any_op
      %operand = transform.match.structured.input %structured[0]
        : (!transform.any_op) -> !transform.any_value
      %bits = transform.match.structured.elemental_bitwidth %operand
        : (!transform.any_value) -> !transform.param<i64>
      %sixteen = transform.param.constant 16 : i64 -> !transform.param<i64>
      transform.match.param.cmpi eq %bits, %sixteen : !transform.param<i64>
      transform.match.structured.yield
    }
    transform.yield
  }
  transform.named_sequence @tensor_contraction.threads(
      %launch: !transform.any_op {transform.consumed},
      %rows: !transform.param<i64> {transform.readonly},
      %columns: !transform.param<i64> {transform.readonly}) {
    %product = transform.structured.match ops{["vector.contract"]} in %launch
        : (!transform.any_op) -> !transform.any_op
    %copies, %buffers = transform.formwork.stage %product operands = [0, 1]
        padding = [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.formwork.contract_on_tensor_cores %product warps = [2, 2]
        : (!transform.any_op) -> ()
    %shared = transform.formwork.distribute_vectors %launch threads = [128]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  // Any other contraction: the operands go through workgroup memory.
  transform.named_sequence @contraction.match(%op: !transform.any_op {transform.readonly})
      attributes {formwork.strategy = {fuse = "epilogue", tile = [64, 64],
                                       step = 16, threads = 256}} {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%structured: !transform.any_op):
      transform.match.structured.body %structured
        {contraction = ["arith.mulf", "arith.addf"]} : !transform.any_op
      transform.match.structured.yield
    }
    transform.yield
  }
  transform.named_sequence @contraction.threads(
      %launch: !transform.any_op {transform.consumed},
      %rows: !transform.param<i64> {transform.readonly},
      %columns: !transform.param<i64> {transform.readonly}) {
    %product = transform.structured.match ops{["vector.contract"]} in %launch
        : (!transform.any_op) -> !transform.any_op
    %copies, %buffers = transform.formwork.stage %product operands = [0, 1]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %shared = transform.formwork.distribute_vectors %launch threads = [%rows, %columns, 1]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> !transform.any_op
    transform.yield
  }

  // What is computed element by element: each element is read and written once.
  transform.named_sequence @elementwise.match(%op: !transform.any_op {transform.readonly})
      attributes {formwork.strategy = {fuse = "points", elements = 1024,
                                       threads = 128}} {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%structured: !transform.any_op):
      transform.match.structured.body %structured {elementwise} : !transform.any_op
      transform.match.structured.yield
    }
    transform.yield
  }
  transform.named_sequence @elementwise.threads(
      %launch: !transform.any_op {transform.consumed},
      %rows: !transform.param<i64> {transform.readonly},
      %columns: !transform.param<i64> {transform.readonly}) {
    %shared = transform.formwork.distribute_vectors %launch threads = [%columns] wide_rows
        : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }

  // Reductions: a block has whole rows, and what is computed of them stays in
  // registers. Rows that start anywhere are accessed 16 bytes at a time, too.
  transform.named_sequence @reduction.match(%op: !transform.any_op {transform.readonly})
      attributes {formwork.strategy = {fuse = "rows", elements = 32768,
                                       threads = 512}} {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%structured: !transform.any_op):
      transform.match.structured.body %structured
        {reduction_position = 0} : !transform.any_op
      transform.match.structured.yield
    }
    transform.yield
  }
  transform.named_sequence @reduction.threads(
      %launch: !transform.any_op {transform.consumed},
      %rows: !transform.param<i64> {transform.readonly},
      %columns: !transform.param<i64> {transform.readonly}) {
    %shared = transform.formwork.distribute_vectors %launch threads = [%rows, %columns] wide_rows
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> !transform.any_op
    transform.yield
  }

  // Everything else that has a loop for each element of its result, such as
  // convolutions, poolings and gathers: a thread computes one element.
  transform.named_sequence @loops.match(%op: !transform.any_op {transform.readonly})
      attributes {formwork.strategy = {fuse = "loops", elements = 128,
                                       threads = 128}} {
    transform.yield
  }
  transform.named_sequence @loops.threads(
      %launch: !transform.any_op {transform.consumed},
      %rows: !transform.param<i64> {transform.readonly},
      %columns: !transform.param<i64> {transform.readonly}) {
    %mapped = transform.gpu.map_nested_forall_to_threads %launch
        block_dims = [128, 1, 1] : (!transform.any_op) -> !transform.any_op
    // A copy is none any more.
    %nests = transform.structured.match interface{LinalgOp} in %mapped
        {formwork.silence = ["fw-step-idle", "fw-step-partial"]}
        : (!transform.any_op) -> !transform.any_op
    %scalar = transform.structured.convert_to_loops %nests
        {formwork.silence = ["fw-step-idle", "fw-step-partial"]}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
