// The contracts of the core Transform dialect: navigation, parameters and
// rewriting of a scope.

//===----------------------------------------------------------------------===//
// transform: navigation and parameters
//===----------------------------------------------------------------------===//

normalform.contract "transform.structured.match" complete model "match" {
  normalform.decides ["fw-empty-match"]
  normalform.single 0 otherwise "requires exactly one target handle"
}
normalform.contract "transform.cast" complete model "cast" {
}
normalform.contract "transform.merge_handles" complete model "merge-handles" {
}
normalform.contract "transform.split_handle" complete model "split-handle" {
  normalform.decides ["fw-cardinality"]
}
normalform.contract "transform.get_parent_op" complete model "get-parent" {
  normalform.decides ["fw-no-parent"]
}
normalform.contract "transform.get_producer_of_operand" complete model "get-producer" {
  normalform.decides ["fw-no-producer"]
}
normalform.contract "transform.get_consumers_of_result" complete model "get-consumers" {
  normalform.decides ["fw-cardinality", "fw-no-such-position"]
}
normalform.contract "transform.get_defining_op" complete model "get-defining-op" {
}
normalform.contract "transform.get_operand" complete model "get-values" {
  normalform.decides ["fw-no-such-position"]
}
normalform.contract "transform.get_result" complete model "get-values" {
  normalform.decides ["fw-no-such-position"]
}
normalform.contract "transform.get_type" {
}
normalform.contract "transform.param.constant" complete model "param-constant" {
}
normalform.contract "transform.select" complete model "select" {
}
normalform.contract "transform.replicate" complete model "replicate" {
  normalform.leaves_open "replicates a number of times that is not known"
}

// Attributes are no op: forms look at them, rules hardly ever do.
normalform.contract "transform.annotate" complete model "annotate" {
  normalform.decides ["fw-bad-alignment"]
  normalform.payload "target"
}

//===----------------------------------------------------------------------===//
// transform: rewriting of a scope
//===----------------------------------------------------------------------===//

// What the driver does with no rule group: it folds, makes constants unique, erases
// what is dead and simplifies regions. The groups have contracts of their own.
normalform.contract "transform.apply_patterns" complete model "apply-patterns" {
  normalform.leaves_open "fails when it reaches its own limit"
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.outlined,
                        @gpu.static_workgroup_memory, @memref.identity_layouts,
                        @llvm.no_casts]
  normalform.payload "target"
      introduces ["arith.constant", "complex.constant", "index.constant", "+llvm.*", "ub.poison"]
      rewrites ["*"] handles ["may_shrink", "fails_if_used_later"]
}
normalform.contract "transform.apply_cse" complete model "apply-cse" {
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.outlined,
                        @gpu.static_workgroup_memory, @memref.identity_layouts,
                        @llvm.no_casts]
  normalform.performs ["cse"]
  normalform.payload "target" rewrites ["*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_dce" complete model "apply-dce" {
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.outlined,
                        @gpu.static_workgroup_memory, @memref.identity_layouts,
                        @llvm.no_casts]
  normalform.performs ["dce"]
  normalform.payload "target" rewrites ["*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_licm" complete model "apply-licm" {
  normalform.accepts 0 ["$loop"] otherwise "transform applied to the wrong op kind"
  normalform.performs ["licm"]
  normalform.payload "anchor" handles ["may_move"]
}
normalform.contract "transform.loop.hoist_loop_invariant_subsets" complete {
  normalform.accepts 0 ["$loop"] otherwise "transform applied to the wrong op kind"
  normalform.performs ["hoist-loop-invariant-subsets"]
  normalform.payload "anchor" introduces ["+scf.for?tensor-result"] rewrites ["scf.for?tensor-result", "scf.yield", "tensor.*", "vector.*"] handles ["may_shrink"]
}
normalform.contract "transform.structured.hoist_redundant_vector_transfers" complete {
  normalform.accepts 0 ["func.func"] otherwise "transform applied to the wrong op kind"
  normalform.result 0 "same" of 0 count "per_target"
  normalform.performs ["hoist-redundant-vector-transfers"] when ["not attr verify_non_zero_trip"]
  normalform.payload "target" introduces ["scf.*", "vector.*"] rewrites ["scf.for", "vector.*"] handles ["may_shrink"]
}
normalform.contract "transform.structured.hoist_redundant_vector_broadcasts" complete {
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces ["scf.*", "vector.*"] rewrites ["scf.for", "vector.*"] handles ["may_shrink"]
}
// The contract of the pass says more; this one stands for a pass without.
normalform.contract "transform.apply_registered_pass" complete model "registered-pass" {
  normalform.decides ["fw-mma-operands", "fw-pass-anchor", "fw-pass-options", "fw-unknown-pass"]
  normalform.leaves_open "has options that parameters decide"
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
// What the groups in its regions introduce and what its lists make illegal is
// added to it for each instance.
normalform.contract "transform.apply_conversion_patterns" complete {
  normalform.may_fail "dialect conversion failed"
  normalform.payload "target" introduces ["builtin.unrealized_conversion_cast"]
}
normalform.contract "transform.normalform.normalize" complete model "normalize" {
  normalform.decides ["fw-unknown-form"]
  normalform.leaves_open "normalizes to @ , which not all payload can reach"
  normalform.payload "anchor" introduces ["*"] rewrites ["*"] handles ["may_shrink"]
}

normalform.contract "transform.normalform.assert" complete model "assert-form" {
  normalform.decides ["fw-unknown-form"]
}

// What validation puts behind each step of a schedule that it instruments.
normalform.contract "transform.normalform.observe" complete {
}
