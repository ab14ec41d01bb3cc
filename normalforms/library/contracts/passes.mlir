// The contracts of registered passes and pipelines, as `pass:NAME`. The pass registry
// knows the op that a pass runs on, and its options. Effects on live handles are left
// out, because the step that runs a pass consumes its target.
// Most passes run a driver that folds, and folding makes constants.

// The ops on buffers that rewriting of other ops adds. It allocates only in the place
// of another allocation.
#memref_ops = [
    "memref.cast", "memref.collapse_shape", "memref.copy", "memref.dim", "memref.expand_shape",
    "memref.extract_aligned_pointer_as_index", "memref.extract_strided_metadata", "memref.load",
    "memref.memory_space_cast", "memref.reinterpret_cast", "memref.reshape", "memref.store",
    "memref.subview", "memref.transpose", "memref.view", "+memref.alloc", "+memref.alloca",
    "+memref.alloca_scope", "+memref.alloca_scope.return", "+memref.assume_alignment",
    "+memref.atomic_rmw", "+memref.atomic_yield", "+memref.dealloc", "+memref.distinct_objects",
    "+memref.dma_start", "+memref.dma_wait", "+memref.generic_atomic_rmw", "+memref.get_global",
    "+memref.global", "+memref.prefetch", "+memref.rank", "+memref.realloc"]

//===----------------------------------------------------------------------===//
// Clean-up
//===----------------------------------------------------------------------===//

normalform.contract "pass:canonicalize" complete {
  normalform.admits ["init:tied"] by "campaign"
  normalform.admits ["destination:in-place"] by "test/lit/verifier/rewriting/tags-survive.mlir"
  normalform.performs ["transform.apply_patterns.canonicalization"]
  normalform.may_fail "Canonicalization failed to converge" when ["option test-convergence"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces #memref_ops
  normalform.payload "target" introduces ["arith.*", "affine.*", "tensor.*", "+vector.*", "ub.*", "+math.*", "+complex.*", "+index.*", "+bufferization.*", "+cf.*", "+llvm.*", "+shape.*", "+tosa.*", "+sparse_tensor.*", "linalg.copy", "linalg.map", "+linalg.broadcast", "+linalg.fill", "+linalg.transpose", "func.call", "scf.if"] rewrites ["*"]
  normalform.side_effects ["may_merge", "may_fold", "cleans_up"]
}
normalform.contract "pass:cse" complete {
  normalform.admits ["init:tied"] by "campaign"
  normalform.admits ["destination:in-place"] by "test/lit/verifier/rewriting/tags-survive.mlir"
  normalform.performs ["cse"]
  normalform.preserves [@bufferized]
  normalform.payload "target" rewrites ["*"]
  normalform.side_effects ["may_merge", "cleans_up"]
}
normalform.contract "pass:sccp" complete {
  normalform.admits ["init:tied"] by "campaign"
  normalform.admits ["destination:in-place"] by "test/lit/verifier/rewriting/tags-survive.mlir"
  normalform.may_fail "a constant takes the place of an output of a parallel loop" when ["holds 0 is scf.forall", "not runs_alone 0"]
  normalform.performs ["pass:sccp"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["+llvm.*", "$constant"] rewrites ["*"]
  normalform.side_effects ["may_merge", "may_fold", "cleans_up"]
}
normalform.contract "pass:symbol-dce" complete {
  normalform.fails "was scheduled to run under SymbolDCE, but does not define a symbol table"
      when ["not kind 0 is builtin.module", "not fact 0 is symbol-table"]
  normalform.preserves [@bufferized]
  normalform.payload "target" rewrites ["*"]
  normalform.side_effects ["cleans_up"]
}
normalform.contract "pass:loop-invariant-code-motion" complete {
  normalform.admits ["init:tied"] by "campaign"
  normalform.performs ["licm"]
  normalform.preserves [@bufferized]
  normalform.payload "target"
  normalform.side_effects ["may_merge", "cleans_up"]
}
normalform.contract "pass:loop-invariant-subset-hoisting" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["+scf.*?tensor-result", "$constant"] rewrites ["scf.*?tensor-result", "scf.yield", "tensor.*", "vector.*"]
  normalform.side_effects ["cleans_up"]
}
normalform.contract "pass:control-flow-sink" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target"
  normalform.side_effects ["cleans_up"]
}
normalform.contract "pass:topological-sort" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target"
}
normalform.contract "pass:strip-debuginfo" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target"
}
normalform.contract "pass:print-op-stats" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target"
}
normalform.contract "pass:inline" complete {
  normalform.may_fail "an inlined body cannot be simplified" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:mem2reg" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
  normalform.side_effects ["cleans_up"]
}
normalform.contract "pass:sroa" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
  normalform.side_effects ["cleans_up"]
}
normalform.contract "pass:remove-dead-values" complete {
  normalform.may_fail "a call or a branch is not known" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:symbol-privatize" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target"
}
normalform.contract "pass:llvm-request-c-wrappers" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target"
}
normalform.contract "pass:duplicate-function-elimination" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target" rewrites ["*"]
}
//===----------------------------------------------------------------------===//
// Loops and structured ops
//===----------------------------------------------------------------------===//

normalform.contract "pass:convert-linalg-to-loops" complete {
  normalform.admits ["init:tied"] by "campaign"
  normalform.performs ["pass:convert-linalg-to-loops"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["scf.for", "scf.yield", "memref.*", "arith.*", "affine.*", "tensor.*", "$constant"] rewrites ["*", "linalg.*"]
  normalform.side_effects ["may_merge", "may_fold"]
  normalform.effect 0 ["fewer $structured"] otherwise "no structured op becomes loops"
}
normalform.contract "pass:convert-linalg-to-parallel-loops" complete {
  normalform.admits ["init:tied"] by "campaign"
  normalform.performs ["pass:convert-linalg-to-parallel-loops"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["scf.*", "memref.*", "arith.*", "affine.*", "tensor.*", "$constant"] rewrites ["*", "linalg.*"]
  normalform.side_effects ["may_merge", "may_fold"]
  normalform.effect 0 ["fewer $structured"] otherwise "no structured op becomes loops"
}
normalform.contract "pass:convert-linalg-to-affine-loops" complete {
  normalform.admits ["init:tied"] by "campaign"
  normalform.may_fail "operand cannot be used as a dimension id" when ["not fact 0 is affine-bounds", "dynamic_sizes 0"]
  normalform.performs ["pass:convert-linalg-to-affine-loops"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["affine.*", "memref.*", "arith.*", "tensor.*", "$constant"] rewrites ["*", "linalg.*"]
  normalform.side_effects ["may_merge", "may_fold"]
  normalform.effect 0 ["fewer $structured"] otherwise "no structured op becomes loops"
}
// The pass leaves loops that it cannot vectorize.
normalform.contract "pass:affine-super-vectorize" complete {
  normalform.may_fail "Vectorization factor must be greater than zero"
      when ["option virtual-vector-size", "not option virtual-vector-size at_least 1"]
  normalform.may_fail "Fastest varying pattern specified with different size"
      when ["option test-fastest-varying"]
  normalform.may_fail "Vectorizing reductions is supported only for 1-D vectors"
      when ["option vectorize-reductions"]
  normalform.payload "target" introduces ["vector.*", "vector.mask", "affine.*", "arith.*", "memref.*", "$constant"] rewrites ["*"]
  normalform.effect 0 ["more vector.transfer_read or vector.transfer_write"] otherwise "no loop is vectorized"
}
normalform.contract "pass:linalg-generalize-named-ops" complete {
  normalform.admits ["init:tied"] by "campaign"
  normalform.performs ["pass:linalg-generalize-named-ops"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["linalg.generic", "linalg.yield", "linalg.index", "arith.*", "math.*", "affine.*", "$constant"] rewrites ["*", "linalg.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:linalg-fuse-elementwise-ops" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
  normalform.effect 0 ["fewer $structured"] otherwise "no ops are fused"
}
normalform.contract "pass:linalg-fold-unit-extent-dims" complete {
  normalform.admits ["init:tied"] by "campaign"
  normalform.performs ["transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes"]
      when ["not option use-rank-reducing-slices"]
  normalform.performs ["transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices"]
      when ["option use-rank-reducing-slices"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:linalg-inline-scalar-operands" complete {
  normalform.admits ["init:tied"] by "campaign"
  normalform.performs ["pass:linalg-inline-scalar-operands"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["+linalg.generic?constant-input", "tensor.extract", "arith.*"]
      rewrites ["*", "linalg.generic?constant-input"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:linalg-specialize-generic-ops" complete {
  normalform.may_fail "the process may end at a generic op on index" when ["holds 0 is linalg.generic"]
  normalform.performs ["pass:linalg-specialize-generic-ops"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["linalg.*", "tensor.*", "memref.*", "arith.*"]
      rewrites ["*", "linalg.generic"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:scf-for-loop-canonicalization" complete {
  normalform.performs ["transform.apply_patterns.scf.for_loop_canonicalization"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces #memref_ops
  normalform.payload "target" introduces ["arith.*", "affine.*", "tensor.*", "$constant"] rewrites ["*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.side_effects ["may_merge", "may_fold", "cleans_up"]
}
// Some of these passes copy the bodies of loops.
normalform.contract "pass:scf-for-loop-peeling" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["+*", "scf.*", "arith.*", "affine.*", "$constant"] rewrites ["*"]
}
normalform.contract "pass:scf-for-loop-range-folding" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["arith.*", "affine.*", "$constant"] rewrites ["scf.for", "arith.*"]
}
normalform.contract "pass:scf-for-loop-specialization" complete {
  normalform.may_fail "the process may end at a loop that has results" when ["holds 0 is scf.for", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["+*", "scf.*", "arith.*", "$constant"] rewrites ["scf.*"]
}
normalform.contract "pass:scf-parallel-loop-fusion" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["scf.*", "arith.*", "$constant"] rewrites ["scf.*"]
  normalform.effect 0 ["fewer scf.parallel"] otherwise "no loops are fused"
}
normalform.contract "pass:scf-parallel-loop-specialization" complete {
  normalform.may_fail "the process may end at a loop that has results" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["+*", "scf.*", "arith.*", "$constant"] rewrites ["scf.*"]
}
normalform.contract "pass:scf-parallel-loop-tiling" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["scf.*", "arith.*", "affine.*", "$constant"] rewrites ["scf.*"]
  normalform.effect 0 ["more scf.parallel"] otherwise "no loop is tiled"
}
normalform.contract "pass:scf-forall-to-for" complete {
  normalform.may_fail "a structured op or a loop has no such form" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["scf.for", "scf.yield", "arith.*", "affine.*", "$constant"] rewrites ["scf.*"]
  normalform.effect 0 ["fewer scf.forall"] otherwise "no loop becomes an scf.for"
}
normalform.contract "pass:scf-forall-to-parallel" complete {
  normalform.may_fail "a structured op or a loop has no such form" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["scf.*", "arith.*", "affine.*", "$constant"] rewrites ["scf.*"]
  normalform.effect 0 ["fewer scf.forall"] otherwise "no loop becomes an scf.parallel"
}
normalform.contract "pass:linalg-detensorize" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:linalg-morph-ops" complete {
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.may_fail "the process may end at a generic op on index" when ["option generic-to-named", "not runs_alone 0"]
  normalform.performs ["pass:linalg-morph-ops"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["linalg.*", "tensor.*", "memref.*", "arith.*", "math.*", "affine.*", "$constant"] rewrites ["*", "linalg.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:convert-elementwise-to-linalg" complete {
  normalform.may_fail "failed to legalize operation" when ["holds 0 is arith.*?tensor-result", "not runs_alone 0"]
  normalform.may_fail "failed to legalize operation" when ["holds 0 is math.*?tensor-result", "not runs_alone 0"]
  normalform.performs ["pass:convert-elementwise-to-linalg"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["linalg.generic", "linalg.yield", "tensor.empty", "tensor.dim", "memref.dim", "+arith.*", "+math.*", "$constant"] rewrites ["arith.*?tensor-result", "math.*?tensor-result"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:linalg-fold-into-elementwise" complete {
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is linalg.elementwise", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:linalg-block-pack-matmul" complete {
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.may_fail "failed to pack" when ["holds 0 is $structured", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:scf-for-to-while" complete {
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is scf.for", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:scf-parallel-for-to-nested-fors" complete {
  normalform.may_fail "failed to convert parallel into nested fors" when ["holds 0 is scf.parallel", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:affine-loop-invariant-code-motion" complete {
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is affine.for", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:affine-loop-unroll" complete {
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is affine.for", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:affine-loop-unroll-jam" complete {
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is affine.for", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:affine-loop-coalescing" complete {
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is affine.for", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:affine-pipeline-data-transfer" complete {
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is affine.for", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:affine-parallelize" complete {
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is affine.for", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:affine-data-copy-generate" complete {
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is affine.*", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:affine-scalrep" complete {
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is affine.*", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:affine-raise-from-memref" complete {
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is memref.*", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:affine-expand-index-ops" complete {
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is affine.*", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:affine-expand-index-ops-as-affine" complete {
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is affine.*", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

normalform.contract "pass:one-shot-bufferize" complete {
  normalform.may_fail "failed to bufferize op" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["memref.*", "bufferization.*", "arith.*", "affine.*", "linalg.*", "scf.*", "cf.*", "$constant"] rewrites ["*"]
  normalform.effect 0 ["fewer !tensor"] otherwise "tensors stay tensors"
}
normalform.contract "pass:eliminate-empty-tensors" complete {
  normalform.fails "are not supported by One-Shot Analysis" when ["not fact 0 is restricted-tensors", "holds 0 is bufferization.to_tensor"]
  normalform.may_fail "the analysis fails" when ["holds 0 is scf.while", "not runs_alone 0"]
  normalform.may_fail "the analysis fails" when ["holds 0 is cf.*", "not runs_alone 0"]
  normalform.may_fail "the analysis fails" when ["holds 0 is bufferization.materialize_in_destination", "not runs_alone 0"]
  normalform.may_fail "the analysis fails" when ["not kind 0 is func.func", "not runs_alone 0"]
  normalform.performs ["eliminate-empty-tensors"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["tensor.*", "$constant"] rewrites ["tensor.*", "bufferization.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:empty-tensor-to-alloc-tensor" complete {
  normalform.admits ["init:tied"] by "campaign"
  normalform.performs ["pass:empty-tensor-to-alloc-tensor"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["bufferization.alloc_tensor", "$constant"] rewrites ["*", "tensor.empty"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:buffer-hoisting" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target"
}
normalform.contract "pass:buffer-loop-hoisting" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target"
  normalform.effect 0 ["shallower memref.alloc"] otherwise "every allocation stays in its loop"
}
normalform.contract "pass:promote-buffers-to-stack" complete {
  normalform.admits ["init:tied"] by "campaign"
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["memref.alloca", "$constant"] rewrites ["memref.alloc", "memref.dealloc"]
  normalform.effect 0 ["more memref.alloca"] otherwise "every buffer stays on the heap"
}
normalform.contract "pass:drop-equivalent-buffer-results" complete {
  normalform.may_fail "a function is called in another way" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["func.*", "memref.cast", "$constant"] rewrites ["func.*"]
}
normalform.contract "pass:buffer-results-to-out-params" complete {
  normalform.may_fail "a result has no static shape" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["func.*", "memref.*", "linalg.*", "$constant"] rewrites ["func.*"]
}
normalform.contract "pass:ownership-based-buffer-deallocation" complete {
  normalform.may_fail "the control flow is not structured" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["bufferization.*", "memref.*", "arith.*", "scf.*", "func.*", "$constant"] rewrites ["*"]
}
normalform.contract "pass:buffer-deallocation-simplification" complete {
  // MLIR reads memory that it has freed, which no trial is sure to show.
  normalform.may_fail "the process may end at a buffer that may be one of several" when ["holds 0 is bufferization.dealloc"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["$constant"] rewrites ["*"]
  normalform.payload "target" introduces ["bufferization.*", "memref.*", "arith.*"]
      when ["holds 0 is bufferization.dealloc"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:bufferization-lower-deallocations" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["memref.*", "arith.*", "scf.*", "func.*", "cf.*", "$constant"] rewrites ["bufferization.*"]
}
normalform.contract "pass:expand-strided-metadata" complete {
  normalform.performs ["transform.apply_patterns.memref.expand_strided_metadata"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["memref.*", "arith.*", "affine.*", "$constant"] rewrites ["*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:fold-memref-alias-ops" complete {
  normalform.performs ["transform.apply_patterns.memref.fold_memref_alias_ops"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["memref.*", "arith.*", "affine.*", "$constant"] rewrites ["*"]
  normalform.side_effects ["may_merge", "may_fold", "cleans_up"]
}
normalform.contract "pass:memref-expand" complete {
  normalform.may_fail "different memory spaces specified for source type" when ["holds 0 is memref.reshape", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["memref.*", "arith.*", "$constant"] rewrites ["memref.*"]
}
normalform.contract "pass:normalize-memrefs" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
// No op of MLIR states its result shapes in the other way that this pass asks for.
normalform.contract "pass:resolve-shaped-type-result-dims" complete {
  normalform.performs ["transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.side_effects ["may_merge", "may_fold", "cleans_up"]
}
normalform.contract "pass:resolve-ranked-shaped-type-result-dims" complete {
  normalform.performs ["transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.side_effects ["may_merge", "may_fold", "cleans_up"]
}
normalform.contract "pass:fold-tensor-subset-ops" complete {
  normalform.performs ["transform.apply_patterns.tensor.fold_tensor_subset_ops"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["tensor.*", "vector.*", "arith.*", "affine.*", "$constant"] rewrites ["*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
// The pass moves a deallocation behind the last use, be that a terminator, or in another
// block.
normalform.contract "pass:optimize-allocation-liveness" complete {
  normalform.may_fail "a buffer is used behind its deallocation"
      when ["holds 0 is memref.dealloc", "not runs_alone 0"]
  normalform.may_fail "a buffer is used behind its deallocation"
      when ["holds 0 is memref.realloc", "not runs_alone 0"]
  normalform.may_fail "a buffer is used behind its deallocation"
      when ["holds 0 is gpu.dealloc", "not runs_alone 0"]
  normalform.may_fail "a buffer is used behind its deallocation"
      when ["holds 0 is bufferization.dealloc", "not runs_alone 0"]
  normalform.may_fail "a buffer is used behind its deallocation"
      when ["holds 0 is bufferization.dealloc_tensor", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target"
  normalform.side_effects ["cleans_up"]
}
normalform.contract "pass:expand-realloc" complete {
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is memref.realloc", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["memref.*", "scf.*", "arith.*", "$constant"] rewrites ["*", "memref.realloc"]
}
normalform.contract "pass:bubble-down-memory-space-casts" complete {
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is memref.memory_space_cast", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:memref-emulate-wide-int" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:generate-runtime-verification" complete {
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:reify-result-shapes" complete {
  normalform.may_fail "the shape of a result is not known" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
//===----------------------------------------------------------------------===//
// GPU
//===----------------------------------------------------------------------===//

normalform.contract "pass:gpu-kernel-outlining" complete {
  normalform.wants @gpu.mapped of 0
      otherwise "a parallel loop that is not mapped runs sequentially in each thread"
  normalform.wants @gpu.indices_sunk of 0
      otherwise "constants and indices from outside of a launch become arguments of its kernel"
  normalform.may_fail "a kernel cannot be outlined" when ["not runs_alone 0"]
  // It copies the symbols that a kernel uses, such as functions, into its module.
  normalform.payload "target" introduces ["gpu.*", "+*"] rewrites ["gpu.*", "*"]
  normalform.effect 0 ["fewer gpu.launch"] otherwise "no kernel is outlined"
}
normalform.contract "pass:gpu-launch-sink-index-computations" complete {
  normalform.performs ["sink-index-computations"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["arith.constant", "arith.select", "arith.cmpi", "func.constant", "memref.dim"] rewrites ["*"]
  normalform.side_effects ["may_merge", "may_fold", "cleans_up"]
}
normalform.contract "pass:formwork-gpu-workgroup-buffers" complete {
  normalform.may_fail "a kernel allocates what is no static workgroup memory"
  normalform.ensures @gpu.static_workgroup_memory of 0
  normalform.preserves [@vector.loadable]
  normalform.payload "target" introduces ["$constant"] rewrites ["gpu.func", "memref.*"]
}
normalform.contract "pass:gpu-map-parallel-loops" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target"
  normalform.effect 0 ["changed"] otherwise "no loop is mapped"
}
normalform.contract "pass:gpu-async-region" complete {
  normalform.may_fail "an op has side effects and regions"
  normalform.payload "target" introduces ["gpu.*", "async.*", "$constant"] rewrites ["gpu.*", "async.*"]
}
normalform.contract "pass:gpu-module-to-binary" complete {
  normalform.may_fail "the target compiler fails"
  normalform.payload "target" introduces ["gpu.binary", "$constant"] rewrites ["gpu.module"]
}
normalform.contract "pass:gpu-decompose-memrefs" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["memref.*", "arith.*", "affine.*", "gpu.*", "$constant"] rewrites ["*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
}
normalform.contract "pass:gpu-eliminate-barriers" complete {
  normalform.performs ["pass:gpu-eliminate-barriers"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["$constant"] rewrites ["*", "gpu.barrier"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:nvvm-attach-target" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target"
}
normalform.contract "pass:rocdl-attach-target" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target"
}
normalform.contract "pass:spirv-attach-target" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target"
}
normalform.contract "pass:nvgpu-optimize-shared-memory" complete {
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["arith.*", "$constant"] rewrites ["memref.*", "vector.*", "nvgpu.*"]
  normalform.effect 0 ["changed"] otherwise "no buffer of workgroup memory has another layout"
}
normalform.contract "pass:gpu-lower-to-nvvm-pipeline" complete {
  normalform.wants @memref.identity_layouts of 0
      otherwise "a strided argument is passed with its offset and strides, which costs registers"
  normalform.may_fail "some op cannot be lowered" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
//===----------------------------------------------------------------------===//
// Arithmetic and vectors
//===----------------------------------------------------------------------===//

normalform.contract "pass:arith-expand" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["arith.*", "vector.*", "$constant"] rewrites ["arith.*"]
}
normalform.contract "pass:arith-int-range-narrowing" complete {
  normalform.may_fail "the process may end at an op of which the range cannot be computed" when ["not runs_alone 0"]
  normalform.may_fail "the process may end at a loop with several bounds" when ["holds 0 is affine.for"]
  normalform.performs ["pass:arith-int-range-narrowing"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["arith.*", "index.*", "$constant"] rewrites ["*", "arith.*", "index.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:arith-unsigned-when-equivalent" complete {
  normalform.may_fail "the process may end at an op of which the range cannot be computed" when ["not runs_alone 0"]
  normalform.may_fail "the process may end at a loop with several bounds" when ["holds 0 is affine.for"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["arith.*", "$constant"] rewrites ["arith.*"]
}
normalform.contract "pass:int-range-optimizations" complete {
  normalform.may_fail "the process may end at an op of which the range cannot be computed" when ["not runs_alone 0"]
  normalform.may_fail "the process may end at a loop with several bounds" when ["holds 0 is affine.for"]
  normalform.performs ["pass:int-range-optimizations"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["$constant"] rewrites ["*"]
  normalform.side_effects ["may_merge", "may_fold", "cleans_up"]
}
normalform.contract "pass:math-uplift-to-fma" complete {
  normalform.performs ["pass:math-uplift-to-fma"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["math.fma", "$constant"] rewrites ["*", "arith.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:lower-vector-mask" complete {
  normalform.performs ["pass:lower-vector-mask"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["vector.*", "arith.*", "$constant"] rewrites ["*", "vector.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:lower-vector-multi-reduction" complete {
  normalform.performs ["pass:lower-vector-multi-reduction"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["vector.*", "arith.*", "$constant"] rewrites ["*", "vector.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:math-expand-ops" complete {
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is math.*", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["math.*", "arith.*", "vector.*", "scf.*", "$constant"] rewrites ["*", "math.*"]
}
normalform.contract "pass:math-sincos-fusion" complete {
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is math.*", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["math.*", "$constant"] rewrites ["*", "math.*"]
}
normalform.contract "pass:math-extend-to-supported-types" complete {
  normalform.may_fail "failed to legalize operation" when ["holds 0 is math.*", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["+math.*", "arith.*", "$constant"] rewrites ["math.*"]
}
normalform.contract "pass:lower-vector-to-from-elements-to-shuffle-tree" complete {
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.may_fail "the process may end at an op that the pass does not expect" when ["holds 0 is vector.*", "not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["vector.*", "arith.*", "ub.*", "$constant"] rewrites ["*", "vector.*"]
}
normalform.contract "pass:arith-emulate-unsupported-floats" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["arith.*", "vector.*", "$constant"] rewrites ["*"]
}
normalform.contract "pass:arith-emulate-wide-int" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["arith.*", "vector.*", "$constant"] rewrites ["*"]
}
//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

normalform.contract "pass:arm-neon-2d-to-intr" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.performs ["pass:arm-neon-2d-to-intr"]
  normalform.payload "target" introduces ["arm_neon.*", "vector.*", "$constant"] rewrites ["*", "arm_neon.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:convert-affine-for-to-gpu" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["gpu.*", "arith.*", "affine.*", "$constant"] rewrites ["affine.*"]
  normalform.effect 0 ["more gpu.launch"] otherwise "no loop becomes a kernel"
}
normalform.contract "pass:convert-amdgpu-to-rocdl" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["rocdl.*", "llvm.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["amdgpu.*"]
}
normalform.contract "pass:convert-arith-to-amdgpu" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.performs ["pass:convert-arith-to-amdgpu"]
  normalform.payload "target" introduces ["amdgpu.*", "arith.*", "vector.*", "scf.*", "$constant"] rewrites ["*", "arith.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:convert-arith-to-apfloat" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["func.*", "llvm.*", "arith.*", "vector.*", "$constant"] rewrites ["arith.*"]
}
normalform.contract "pass:convert-arith-to-arm-sme" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.performs ["pass:convert-arith-to-arm-sme"]
  normalform.payload "target" introduces ["arm_sme.*", "vector.*", "arith.*", "$constant"] rewrites ["*", "arith.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:convert-arith-to-emitc" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["emitc.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["arith.*"]
}
normalform.contract "pass:convert-arith-to-llvm" complete {
  normalform.may_fail "the body of a structured op is converted, too, and does not fit it any more" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["llvm.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["*"]
}
normalform.contract "pass:convert-arith-to-spirv" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["spirv.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["arith.*"]
}
normalform.contract "pass:convert-arm-sme-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-arm-sme-to-scf" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-async-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["llvm.*", "builtin.unrealized_conversion_cast", "func.*", "async.*", "$constant"] rewrites ["*"]
}
normalform.contract "pass:convert-bufferization-to-memref" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["memref.*", "arith.*", "scf.*", "func.*", "$constant"] rewrites ["bufferization.*"]
}
normalform.contract "pass:convert-cf-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["llvm.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["*"]
}
normalform.contract "pass:convert-cf-to-spirv" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["spirv.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["*"]
}
normalform.contract "pass:convert-complex-to-libm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["func.*", "complex.*", "$constant"] rewrites ["complex.*"]
}
normalform.contract "pass:convert-complex-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["llvm.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["complex.*"]
}
normalform.contract "pass:convert-complex-to-rocdl-library-calls" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["func.*", "complex.*", "$constant"] rewrites ["complex.*"]
}
normalform.contract "pass:convert-complex-to-spirv" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["spirv.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["complex.*"]
}
normalform.contract "pass:convert-complex-to-standard" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["arith.*", "math.*", "complex.*", "scf.*", "$constant"] rewrites ["complex.*"]
}
normalform.contract "pass:convert-func-to-emitc" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["emitc.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["func.*"]
}
normalform.contract "pass:convert-func-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["llvm.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["*"]
}
normalform.contract "pass:convert-func-to-spirv" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["spirv.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["*"]
}
normalform.contract "pass:convert-gpu-to-llvm-spv" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-gpu-to-nvvm" complete {
  normalform.requires @vector.loadable of 0
      otherwise "what is not converted stays, between casts, and the translation to LLVM IR fails"
  normalform.requires @gpu.static_workgroup_memory of 0
      otherwise "a memref.alloc becomes a device malloc, a memref.alloca a slot on the stack of each thread"
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-gpu-to-rocdl" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-gpu-to-spirv" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-index-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["llvm.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["index.*"]
}
normalform.contract "pass:convert-index-to-spirv" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["spirv.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["index.*"]
}
normalform.contract "pass:convert-linalg-to-std" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["func.*", "memref.*", "$constant"] rewrites ["linalg.*"]
}
normalform.contract "pass:convert-math-to-apfloat" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["func.*", "llvm.*", "arith.*", "vector.*", "$constant"] rewrites ["math.*"]
}
normalform.contract "pass:convert-math-to-emitc" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["emitc.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["math.*"]
}
normalform.contract "pass:convert-math-to-funcs" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["func.*", "arith.*", "scf.*", "cf.*", "vector.*", "math.*", "llvm.*", "$constant"] rewrites ["math.*"]
}
normalform.contract "pass:convert-math-to-libm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["func.*", "arith.*", "vector.*", "math.*", "$constant"] rewrites ["math.*"]
}
normalform.contract "pass:convert-math-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["llvm.*", "builtin.unrealized_conversion_cast", "arith.*", "vector.*", "$constant"] rewrites ["math.*"]
}
normalform.contract "pass:convert-math-to-rocdl" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["math.*", "arith.*"]
}
normalform.contract "pass:convert-math-to-spirv" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["spirv.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["math.*"]
}
normalform.contract "pass:convert-math-to-xevm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["llvm.*", "builtin.unrealized_conversion_cast", "func.*", "$constant"] rewrites ["math.*", "arith.*"]
}
normalform.contract "pass:convert-memref-to-emitc" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["emitc.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["memref.*"]
}
normalform.contract "pass:convert-memref-to-spirv" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["spirv.*", "builtin.unrealized_conversion_cast", "arith.*", "$constant"] rewrites ["*"]
}
normalform.contract "pass:convert-nvgpu-to-nvvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-nvvm-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["llvm.*", "$constant"] rewrites ["nvvm.*"]
}
normalform.contract "pass:convert-openacc-to-scf" complete {
  normalform.payload "target" introduces ["scf.*", "$constant"] rewrites ["acc.*"]
}
normalform.contract "pass:convert-openmp-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["llvm.*", "omp.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["*"]
}
normalform.contract "pass:convert-parallel-loops-to-gpu" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["gpu.*", "arith.*", "affine.*", "scf.*", "memref.*", "$constant"] rewrites ["*"]
  normalform.effect 0 ["more gpu.launch"] otherwise "no loop becomes a kernel"
}
normalform.contract "pass:convert-pdl-to-pdl-interp" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["pdl_interp.*", "builtin.module"] rewrites ["*"]
}
normalform.contract "pass:convert-scf-to-cf" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["cf.*", "arith.*", "scf.*", "$constant"] rewrites ["*"]
}
normalform.contract "pass:convert-scf-to-emitc" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["emitc.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["scf.*"]
}
normalform.contract "pass:convert-scf-to-openmp" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["omp.*", "llvm.*", "memref.*", "arith.*", "scf.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["*"]
}
normalform.contract "pass:convert-scf-to-spirv" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["spirv.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["*"]
}
normalform.contract "pass:convert-shape-constraints" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.performs ["pass:convert-shape-constraints"]
  normalform.payload "target" introduces ["cf.*", "shape.*", "arith.*", "scf.*", "$constant"] rewrites ["*", "shape.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:convert-shape-to-std" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["arith.*", "tensor.*", "scf.*", "cf.*", "shape.*", "$constant"] rewrites ["shape.*"]
}
normalform.contract "pass:convert-shard-to-mpi" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-spirv-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-tensor-to-linalg" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["linalg.*", "tensor.*", "arith.*", "$constant"] rewrites ["tensor.*"]
}
normalform.contract "pass:convert-tensor-to-spirv" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["spirv.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["tensor.*", "func.*", "arith.*"]
}
normalform.contract "pass:convert-to-emitc" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-ub-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["llvm.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["ub.*"]
}
normalform.contract "pass:convert-ub-to-spirv" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["spirv.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["ub.*"]
}
normalform.contract "pass:convert-vector-to-amx" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-vector-to-arm-sme" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-vector-to-gpu" complete {
  normalform.wants @vector.accumulators_hoisted of 0
      otherwise "accumulators go through memory at each step of a loop" when ["option use-nvgpu is true"]
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.performs ["pass:convert-vector-to-gpu"]
  normalform.payload "target" introduces ["gpu.lane_id", "gpu.subgroup_mma_compute", "gpu.subgroup_mma_constant_matrix", "gpu.subgroup_mma_elementwise", "gpu.subgroup_mma_load_matrix", "gpu.subgroup_mma_store_matrix", "nvgpu.*", "vector.*", "arith.*", "affine.*", "memref.*", "scf.*", "$constant"] rewrites ["*", "vector.*", "arith.*", "scf.*"]
  normalform.side_effects ["may_merge", "may_fold"]
  normalform.effect 0 ["more nvgpu.mma.sync or gpu.subgroup_mma_compute"] otherwise "no contraction is for tensor cores"
}
normalform.contract "pass:convert-vector-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-vector-to-scf" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.performs ["pass:convert-vector-to-scf"]
  normalform.payload "target" introduces ["scf.*", "vector.*", "memref.*", "arith.*", "affine.*", "tensor.*", "ub.*", "$constant"] rewrites ["*", "vector.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:convert-vector-to-spirv" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["spirv.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["vector.*"]
}
normalform.contract "pass:convert-vector-to-xegpu" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.performs ["pass:convert-vector-to-xegpu"]
  normalform.payload "target" introduces ["xegpu.*", "vector.*", "arith.*", "memref.*", "affine.*", "$constant"] rewrites ["*", "vector.*"]
  normalform.side_effects ["may_merge", "may_fold"]
}
normalform.contract "pass:convert-xegpu-to-xevm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:convert-xevm-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:finalize-memref-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["llvm.*", "builtin.unrealized_conversion_cast", "$constant"] rewrites ["*"]
}
normalform.contract "pass:gpu-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:lift-cf-to-scf" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["scf.*", "arith.*", "ub.*", "func.*", "$constant"] rewrites ["*"]
}
normalform.contract "pass:lower-affine" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["arith.*", "scf.*", "memref.*", "vector.*", "$constant"] rewrites ["*"]
}
normalform.contract "pass:lower-host-to-llvm" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:map-memref-spirv-storage-class" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:reconcile-unrealized-casts" complete {
  normalform.payload "target" rewrites ["builtin.unrealized_conversion_cast"]
}
normalform.contract "pass:set-llvm-module-datalayout" complete {
  normalform.payload "target"
}
normalform.contract "pass:tosa-to-arith" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["arith.*", "tosa.const", "tosa.const_shape", "$constant"] rewrites ["tosa.*"]
}
normalform.contract "pass:tosa-to-linalg" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:tosa-to-linalg-named" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "pass:tosa-to-mlprogram" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["ml_program.*", "tosa.const", "tosa.const_shape", "$constant"] rewrites ["tosa.*"]
}
normalform.contract "pass:tosa-to-scf" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["scf.*", "tensor.*", "arith.*", "tosa.const", "tosa.const_shape", "$constant"] rewrites ["tosa.*"]
}
normalform.contract "pass:tosa-to-tensor" complete {
  normalform.may_fail "failed to legalize operation" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
