// The contracts of the core Transform dialect: navigation, parameters and
// rewriting of a scope.

//===----------------------------------------------------------------------===//
// transform: navigation and parameters
//===----------------------------------------------------------------------===//

normalform.contract "transform.structured.match" complete model "match" {
  normalform.single 0 otherwise "requires exactly one target handle"
  normalform.admits ["*"] by "the step only hands payload on"
  normalform.domain "ops" ["empty", "repeated"]
  normalform.domain "op_attrs" ["any"]
  normalform.domain "interface" ["any"]
  normalform.effect 0 ["result 0"] otherwise "nothing is found"
}
normalform.contract "transform.cast" complete model "cast" {
  normalform.side_effects ["reads_no_discardable_attribute", "only_reads"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.merge_handles" complete model "merge-handles" {
  normalform.side_effects ["reads_no_discardable_attribute", "only_reads", "hands_on_parameters"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.split_handle" complete model "split-handle" {
  normalform.side_effects ["hands_on_parameters"]
  normalform.silenceable ["fw-cardinality"]
  normalform.admits ["*"] by "the step only hands payload on"
  normalform.domain "overflow_result" ["at_least 0"]
}
normalform.contract "transform.get_parent_op" complete model "get-parent" {
  normalform.side_effects ["reads_no_discardable_attribute", "only_reads"]
  normalform.silenceable ["fw-matcher-failed", "fw-no-parent"]
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.get_producer_of_operand" complete model "get-producer" {
  normalform.side_effects ["reads_no_discardable_attribute", "only_reads"]
  normalform.silenceable ["fw-matcher-failed", "fw-no-producer"]
  normalform.admits ["*"] by "the step only hands payload on"
  normalform.domain "operand_number" ["at_least 0"]
}
normalform.contract "transform.get_consumers_of_result" complete model "get-consumers" {
  normalform.side_effects ["reads_no_discardable_attribute", "only_reads"]
  normalform.admits ["*"] by "the step only hands payload on"
  normalform.domain "result_number" ["at_least 0"]
}
normalform.contract "transform.get_defining_op" complete model "get-defining-op" {
  normalform.side_effects ["reads_no_discardable_attribute", "only_reads"]
  normalform.silenceable ["fw-matcher-failed", "fw-no-producer"]
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.get_operand" complete model "get-values" {
  normalform.side_effects ["reads_no_discardable_attribute", "only_reads"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.admits ["*"] by "the step only hands payload on"
  normalform.domain "raw_position_list" ["any"]
}
normalform.contract "transform.get_result" complete model "get-values" {
  normalform.side_effects ["reads_no_discardable_attribute", "only_reads"]
  normalform.admits ["*"] by "the step only hands payload on"
  normalform.domain "raw_position_list" ["any"]
}
normalform.contract "transform.get_type" {
  normalform.side_effects ["reads_no_discardable_attribute", "only_reads"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.param.constant" complete model "param-constant" {
  normalform.side_effects ["reads_no_discardable_attribute", "only_reads", "reads_one_op"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.admits ["*"] by "the step only hands payload on"
  normalform.domain "value" ["any"]
}
normalform.contract "transform.select" complete model "select" {
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.replicate" complete model "replicate" {
  normalform.side_effects ["hands_on_parameters"]
  normalform.admits ["*"] by "the step only hands payload on"
}

// Attributes are not ops: forms look at them, but rules hardly ever do.
normalform.contract "transform.annotate" complete model "annotate" {
  normalform.preserves [@bufferized, @memref.identity_layouts, @linalg.on_tensors]
  normalform.payload "target"
  normalform.side_effects ["keeps_order", "reads_no_discardable_attribute",
                           "writes_only_discardable_attributes"]
  normalform.admits ["*"] by "the step only hands payload on"
  normalform.effect 0 ["attribute of name"] otherwise "the target has the attributes that it had"
}

//===----------------------------------------------------------------------===//
// transform: rewriting of a scope
//===----------------------------------------------------------------------===//

// The driver's work without any rule group: it folds, uniques constants, erases dead
// ops and simplifies regions. The groups have their own contracts.
normalform.contract "transform.apply_patterns" complete model "apply-patterns" {
  normalform.may_fail "cannot apply transform to itself (or one of its ancestors)" when ["holds_schedule 0"]
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.outlined,
                        @gpu.static_workgroup_memory, @memref.identity_layouts,
                        @llvm.no_casts]
  normalform.payload "target"
      introduces ["+llvm.*", "$constant"]
      rewrites ["*"] handles ["may_shrink", "fails_if_used_later"]
  normalform.side_effects ["may_merge", "may_fold_values", "cleans_up"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.admits ["*"] by "what it does is what its rule groups do, each with a contract"
  normalform.domain "max_iterations" ["at_least -1"]
  normalform.domain "max_num_rewrites" ["at_least -2147483648"]
  normalform.effect 0 ["changed"] otherwise "nothing changes"
}
normalform.contract "transform.apply_cse" complete model "apply-cse" {
  normalform.admits ["init:tied"] by "test/lit/verifier/envelope/tied-inits.test"
  normalform.may_fail "cannot apply transform to itself (or one of its ancestors)" when ["holds_schedule 0"]
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.outlined,
                        @gpu.static_workgroup_memory, @memref.identity_layouts,
                        @llvm.no_casts]
  normalform.performs ["cse"]
  normalform.payload "target" rewrites ["*"] handles ["may_shrink"]
  normalform.side_effects ["keeps_order", "may_merge", "cleans_up"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["changed"] otherwise "nothing changes"
}
normalform.contract "transform.apply_dce" complete model "apply-dce" {
  normalform.may_fail "cannot apply transform to itself (or one of its ancestors)" when ["holds_schedule 0"]
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.outlined,
                        @gpu.static_workgroup_memory, @memref.identity_layouts,
                        @llvm.no_casts]
  normalform.performs ["dce"]
  normalform.payload "target" rewrites ["*"] handles ["may_shrink"]
  normalform.side_effects ["keeps_order", "may_merge", "cleans_up"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.admits ["dialect:unknown"] by "test/lit/verifier/rewriting/dce-tracks.mlir"
  normalform.effect 0 ["changed"] otherwise "nothing changes"
}
normalform.contract "transform.apply_licm" complete {
  normalform.accepts 0 ["$loop"] otherwise "transform applied to the wrong op kind"
  normalform.performs ["licm"]
  normalform.payload "anchor" handles ["may_move"]
  normalform.side_effects ["cleans_up"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["changed"] otherwise "nothing changes"
}
normalform.contract "transform.loop.hoist_loop_invariant_subsets" complete {
  normalform.accepts 0 ["$loop"] otherwise "transform applied to the wrong op kind"
  normalform.performs ["hoist-loop-invariant-subsets"]
  normalform.payload "anchor" introduces ["+scf.for?tensor-result"] rewrites ["scf.for?tensor-result", "scf.yield", "tensor.*", "vector.*"] handles ["may_shrink"]
  normalform.side_effects ["cleans_up"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["changed"] otherwise "no subset leaves the loop"
  normalform.effect 0 ["never"] otherwise "an scf.forall hands on no subset" when ["kind 0 is scf.forall"]
}
normalform.contract "transform.structured.hoist_redundant_vector_transfers" complete {
  normalform.wants @memref.canonical of 0
      otherwise "a read and a write stay in their loop if they are at one place only after clean-up"
  normalform.accepts 0 ["func.func"] otherwise "transform applied to the wrong op kind"
  normalform.result 0 "same" of 0 count "per_target"
  normalform.performs ["hoist-redundant-vector-transfers"] when ["not attr verify_non_zero_trip"]
  normalform.payload "target" introduces ["scf.*", "vector.*"] rewrites ["scf.for", "vector.*"] handles ["may_shrink"]
  normalform.side_effects ["cleans_up"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["shallower vector.transfer_read"] otherwise "every transfer stays in its loop"
}
normalform.contract "transform.structured.hoist_redundant_vector_broadcasts" complete {
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces ["scf.*", "vector.*"] rewrites ["scf.for", "vector.*"] handles ["may_shrink"]
  normalform.side_effects ["cleans_up"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["shallower vector.broadcast"] otherwise "every broadcast stays in its loop"
}
// The contract of a pass says more; this one covers passes without a contract.
normalform.contract "transform.apply_registered_pass" complete model "registered-pass" {
  normalform.may_fail "cannot apply transform to itself (or one of its ancestors)" when ["holds_schedule 0"]
  normalform.admits ["*"] by "what it does is what the pass does, with a contract of its own"
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces ["*"] rewrites ["*"]
  normalform.effect 0 ["changed"] otherwise "nothing changes"
}
// For each instance, the verifier adds the ops that the groups in its regions
// introduce and the ops that its lists make illegal.
normalform.contract "transform.apply_conversion_patterns" complete {
  normalform.may_fail "cannot apply transform to itself (or one of its ancestors)" when ["holds_schedule 0"]
  normalform.may_fail "dialect conversion failed" when ["not runs_alone 0"]
  normalform.payload "target" introduces ["builtin.unrealized_conversion_cast"]
  normalform.effect 0 ["changed"] otherwise "nothing is converted"
}
normalform.contract "transform.normalform.normalize" complete model "normalize" {
  normalform.payload "anchor" introduces ["*"] rewrites ["*"] handles ["may_shrink"]
  normalform.side_effects ["cleans_up"]
}

normalform.contract "transform.normalform.assert" complete model "assert-form" {
  normalform.admits ["*"] by "the step only hands payload on"
}

// Validation inserts this op after each step of a schedule that it instruments.
normalform.contract "transform.normalform.observe" complete {
  normalform.admits ["*"] by "the step only hands payload on"
}
