// The lowering that `formwork compile` and `formwork run` append to a schedule
// for NVIDIA GPUs. Print it with --print-lowering, replace it with
// --lowering=FILE. A replacement defines the same two sequences.
//
// Between the two, Formwork attaches the target to every gpu.module and checks
// the kernels against the target's limits.
module attributes {transform.with_named_sequence} {

  // Ensures: no gpu.launch; kernels in gpu.module, their vectors at most
  // one-dimensional at every load and store; results are out-parameters.
  transform.named_sequence @formwork.outline_kernels(%module: !transform.any_op {transform.consumed}) {
    transform.normalform.assert %module is @gpu.launchable : !transform.any_op
    // A result that is an argument is not returned; any other is an out-parameter.
    %dropped = transform.apply_registered_pass "formwork-drop-returned-arguments"
      to %module : (!transform.any_op) -> !transform.any_op
    // A kernel allocates its workgroup memory, also where a step placed a buffer
    // in front of it.
    %owning = transform.apply_registered_pass "formwork-gpu-sink-workgroup-buffers"
      to %dropped : (!transform.any_op) -> !transform.any_op
    // Accumulators stay in registers. Here, a result still is an allocation, which
    // overlaps nothing. Views of the same place have to be one index.
    %staged = transform.structured.match ops{["func.func"]} in %owning
      : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %staged to @memref.canonical : !transform.any_op
    %hoisted = transform.apply_registered_pass "formwork-gpu-hoist-accumulators"
      to %owning : (!transform.any_op) -> !transform.any_op
    // Threads wait only where one accesses what another one did.
    %ordered = transform.apply_registered_pass "formwork-gpu-drop-barriers"
      to %hoisted : (!transform.any_op) -> !transform.any_op
    %returned = transform.apply_registered_pass "formwork-return-allocations"
      to %ordered : (!transform.any_op) -> !transform.any_op
    %abi = transform.apply_registered_pass "buffer-results-to-out-params"
      with options = {"hoist-dynamic-allocs" = true, "hoist-static-allocs" = true,
                      "modify-public-functions" = true}
      to %returned : (!transform.any_op) -> !transform.any_op
    // The copies between buffers and the structured operations that are left
    // become loops in the thread; a small temporary is memory of the thread.
    %explicit = transform.apply_registered_pass "formwork-gpu-expand-copies"
      to %abi : (!transform.any_op) -> !transform.any_op
    %owned = transform.apply_registered_pass "formwork-gpu-private-buffers"
      to %explicit : (!transform.any_op) -> !transform.any_op
    // Kernels read constants and arguments by themselves.
    %constants = transform.apply_registered_pass "formwork-gpu-sink-reads"
      to %owned : (!transform.any_op) -> !transform.any_op
    %funcs = transform.structured.match ops{["func.func"]} in %constants
      : (!transform.any_op) -> !transform.any_op
    %loops = transform.apply_registered_pass "convert-linalg-to-loops"
      to %funcs : (!transform.any_op) -> !transform.any_op
    // An access over the end of a buffer is guarded as a whole, not by element.
    %guarded = transform.apply_registered_pass "formwork-gpu-edge-accesses"
      to %loops : (!transform.any_op) -> !transform.any_op
    // Vectors, in stages. No group stands beside one that undoes it: to drop a
    // leading unit dimension and to permute a transfer undo each other, and so do
    // canonicalization and the lowering of broadcasts and shape casts.
    transform.apply_patterns to %guarded {
      transform.apply_patterns.vector.cast_away_vector_leading_one_dim
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op
    transform.normalform.normalize %guarded to @memref.canonical : !transform.any_op
    // Products, reductions and permutations become element-wise arithmetic.
    transform.apply_patterns to %guarded {
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
      transform.apply_patterns.vector.lower_outerproduct
      transform.apply_patterns.vector.lower_multi_reduction
      transform.apply_patterns.vector.lower_gather
      transform.apply_patterns.vector.lower_scan
    } {apply_cse} : !transform.any_op
    // Transfers become loads and stores of rows.
    transform.apply_patterns to %guarded {
      transform.apply_patterns.vector.lower_create_mask
      transform.apply_patterns.vector.lower_masks
      transform.apply_patterns.vector.lower_transpose
      transform.apply_patterns.vector.lower_broadcast
      transform.apply_patterns.vector.lower_bitcast
      transform.apply_patterns.vector.lower_shape_cast
      transform.apply_patterns.vector.transfer_to_scf full_unroll = true
      transform.apply_patterns.vector.lower_transfer max_transfer_rank = 1
      transform.apply_patterns.vector.materialize_masks
    } {apply_cse} : !transform.any_op
    transform.normalform.normalize %guarded to @memref.canonical : !transform.any_op
    // Otherwise constants and addresses become kernel parameters.
    %sunk = transform.apply_registered_pass "gpu-launch-sink-index-computations"
      to %guarded : (!transform.any_op) -> !transform.any_op
    %outlined = transform.apply_registered_pass "gpu-kernel-outlining"
      to %constants : (!transform.any_op) -> !transform.any_op
    %merged = transform.apply_registered_pass "formwork-gpu-merge-modules"
      to %outlined : (!transform.any_op) -> !transform.any_op
    %kernels = transform.structured.match ops{["gpu.module"]} in %merged
      : (!transform.any_op) -> !transform.any_op
    %ready = transform.apply_registered_pass "formwork-gpu-workgroup-buffers"
      to %kernels : (!transform.any_op) -> !transform.any_op
    transform.normalform.assert %ready is @gpu.outlined : !transform.any_op
    transform.normalform.assert %ready is @gpu.static_workgroup_memory : !transform.any_op
    transform.yield
  }

  // Requires: what @formwork.outline_kernels ensures. Ensures: every gpu.module
  // holds nothing but the LLVM and NVVM dialects.
  transform.named_sequence @formwork.lower_kernels(%module: !transform.any_op) {
    %k0 = transform.structured.match ops{["gpu.module"]} in %module
      : (!transform.any_op) -> !transform.any_op
    %k1 = transform.apply_registered_pass "expand-strided-metadata" to %k0 : (!transform.any_op) -> !transform.any_op
    %k2 = transform.apply_registered_pass "lower-affine" to %k1 : (!transform.any_op) -> !transform.any_op
    %k3 = transform.apply_registered_pass "canonicalize" to %k2 : (!transform.any_op) -> !transform.any_op
    %k4 = transform.apply_registered_pass "cse" to %k3 : (!transform.any_op) -> !transform.any_op
    // Canonicalization makes broadcasts and shape casts again. Behind it, what is
    // left of rank two and more becomes rows.
    transform.apply_patterns to %k4 {
      transform.apply_patterns.vector.lower_transpose
      transform.apply_patterns.vector.lower_broadcast
      transform.apply_patterns.vector.lower_bitcast
      transform.apply_patterns.vector.lower_shape_cast
      transform.apply_patterns.vector.transfer_to_scf full_unroll = true
      transform.apply_patterns.vector.lower_transfer max_transfer_rank = 1
      transform.apply_patterns.vector.materialize_masks
    } {apply_cse} : !transform.any_op
    %k5 = transform.apply_registered_pass "formwork-gpu-split-vectors" to %k4 : (!transform.any_op) -> !transform.any_op
    transform.normalform.assert %k5 is @vector.loadable : !transform.any_op
    // Booleans lie in bytes, while a vector of them in memory has its bits packed.
    %bytes = transform.apply_registered_pass "formwork-split-bit-vectors" to %k5 : (!transform.any_op) -> !transform.any_op
    // A counter of 64 bits takes two instructions wherever one of 32 takes one.
    %k6 = transform.apply_registered_pass "formwork-gpu-narrow-loops" to %bytes : (!transform.any_op) -> !transform.any_op
    // Registers do not suffice for what is read long before it is used.
    %k7 = transform.apply_registered_pass "formwork-gpu-late-reads" to %k6 : (!transform.any_op) -> !transform.any_op
    // A loop around the slots of a buffer adds the slot to an address, no more.
    %slots = transform.apply_registered_pass "formwork-gpu-slot-addresses" to %k7 : (!transform.any_op) -> !transform.any_op
    // Functions that the conversion has no call for.
    %known = transform.apply_registered_pass "formwork-gpu-expand-math" to %slots : (!transform.any_op) -> !transform.any_op
    // A division is a call, which registers have to be saved for.
    %divided = transform.apply_registered_pass "formwork-gpu-constant-divisions" to %known : (!transform.any_op) -> !transform.any_op
    %k8 = transform.apply_registered_pass "convert-scf-to-cf" to %divided : (!transform.any_op) -> !transform.any_op
    %k9 = transform.apply_registered_pass "convert-nvgpu-to-nvvm" to %k8 : (!transform.any_op) -> !transform.any_op
    %k10 = transform.apply_registered_pass "convert-gpu-to-nvvm" to %k9 : (!transform.any_op) -> !transform.any_op
    %k11 = transform.apply_registered_pass "canonicalize" to %k10 : (!transform.any_op) -> !transform.any_op
    %k12 = transform.apply_registered_pass "cse" to %k11 : (!transform.any_op) -> !transform.any_op
    %k13 = transform.apply_registered_pass "reconcile-unrealized-casts" to %k12 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
