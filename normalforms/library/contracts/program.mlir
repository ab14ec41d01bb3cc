// The contracts of ops that look at or change the program around loops: matchers
// of structured ops, remarks, knobs, functions, data layouts, tensors.

//===----------------------------------------------------------------------===//
// transform.match.structured
//===----------------------------------------------------------------------===//

// A matcher fails where its condition does not hold. This failure means "no match",
// and the op that runs the matcher treats it so.
normalform.contract "transform.match.structured" complete model "match-structured" {
  normalform.side_effects ["only_reads", "reads_one_op"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.match.structured.yield" complete {
  normalform.side_effects ["only_reads"]
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.match.structured.body" complete model "matcher" {
  normalform.side_effects ["only_reads"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.domain "reduction_position" ["at_least 0"]
}
normalform.contract "transform.match.structured.classify_contraction_dims" complete model "matcher" {
  normalform.side_effects ["only_reads"]
  normalform.silenceable ["fw-matcher-failed"]
}
normalform.contract "transform.match.structured.classify_convolution_dims" complete model "matcher" {
  normalform.side_effects ["only_reads", "reads_one_op"]
  normalform.silenceable ["fw-matcher-failed"]
}
normalform.contract "transform.match.structured.dim" complete model "matcher" {
  normalform.side_effects ["only_reads", "reads_one_op"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.domain "raw_dim_list" ["any"]
}
normalform.contract "transform.match.structured.elemental_bitwidth" complete model "matcher" {
  normalform.side_effects ["only_reads", "reads_one_op"]
  normalform.silenceable ["fw-matcher-failed"]
}
normalform.contract "transform.match.structured.init" complete model "matcher" {
  normalform.side_effects ["only_reads"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.domain "raw_position_list" ["any"]
}
normalform.contract "transform.match.structured.input" complete model "matcher" {
  normalform.side_effects ["only_reads"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.domain "raw_position_list" ["any"]
}
normalform.contract "transform.match.structured.num_inits" complete model "matcher" {
  normalform.side_effects ["only_reads", "reads_one_op"]
  normalform.silenceable ["fw-matcher-failed"]
}
normalform.contract "transform.match.structured.num_inputs" complete model "matcher" {
  normalform.side_effects ["only_reads", "reads_one_op"]
  normalform.silenceable ["fw-matcher-failed"]
}
normalform.contract "transform.match.structured.rank" complete model "matcher" {
  normalform.side_effects ["only_reads", "reads_one_op"]
  normalform.silenceable ["fw-matcher-failed"]
}
normalform.contract "transform.match.structured.result" complete model "matcher" {
  normalform.side_effects ["only_reads"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.domain "position" ["any"]
}
normalform.contract "transform.sparse_tensor.match.sparse_inout" complete model "matcher" {
  normalform.silenceable ["fw-matcher-failed"]
}

//===----------------------------------------------------------------------===//
// transform.debug
//===----------------------------------------------------------------------===//

normalform.contract "transform.debug.emit_remark_at" complete {
  normalform.side_effects ["reads_no_discardable_attribute", "only_reports"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.debug.emit_param_as_remark" complete {
  normalform.side_effects ["reads_no_discardable_attribute", "only_reports",
                           "hands_on_parameters"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.admits ["*"] by "the step only hands payload on"
  normalform.domain "message" ["empty"]
}

//===----------------------------------------------------------------------===//
// transform.func, transform.dlti, transform.tensor
//===----------------------------------------------------------------------===//

normalform.contract "transform.func.cast_and_call" complete model "cast-and-call" {
  normalform.may_fail "calls a function of which the signature may not fit" when ["not runs_here 0"]
  normalform.result 0 "any" kinds ["func.call"] count "one" when ["not kind 0 is builtin.module"]
  normalform.payload "root" introduces ["func.*", "tensor.cast", "builtin.unrealized_conversion_cast"] rewrites ["*"]
  normalform.effect 0 ["more func.call"] otherwise "no call is made"
}
normalform.contract "transform.func.deduplicate_func_args" complete model "deduplicate-arguments" {
  normalform.single 0 otherwise "requires a single module to operate on"
  normalform.accepts 0 ["builtin.module"] otherwise "target is expected to be module operation"
  normalform.result 0 "same" of 0 count "one"
  normalform.result 1 "any" kinds ["func.func"] count "one"
  normalform.payload "root" introduces ["func.*"] rewrites ["func.*"]
  normalform.effect 0 ["changed"] otherwise "no argument is passed twice"
}
normalform.contract "transform.func.replace_func_signature" complete model "replace-signature" {
  normalform.single 0 otherwise "requires a single module to operate on"
  normalform.accepts 0 ["builtin.module"] otherwise "target is expected to be module operation"
  normalform.result 0 "same" of 0 count "one"
  normalform.result 1 "any" kinds ["func.func"] count "one"
  normalform.payload "root" introduces ["func.*"] rewrites ["func.*"]
}
normalform.contract "transform.type_conversion.tensor.cast_shape_dynamic_dims" complete {
}
normalform.contract "transform.dlti.query" complete model "query" {
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
}
normalform.contract "transform.tensor.make_loop_independent" complete {
  normalform.accepts 0 ["tensor.empty", "tensor.pad"] otherwise "unsupported target op"
  normalform.needs_ancestor 0 ["scf.for"] otherwise "could not find 0-th enclosing loop"
      when ["not attr num_loops is 0"]
  normalform.may_fail "could not make target op loop-independent" when ["count 0 at_least 1", "not runs_here 0"]
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "anchor" introduces ["tensor.*", "affine.*", "arith.*"] rewrites ["tensor.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.domain "num_loops" ["at_least 0"]
  normalform.effect 0 ["changed"] otherwise "the sizes depend on the loop still"
}

//===----------------------------------------------------------------------===//
// transform.pdl and transform.irdl: an op with regions of patterns may do
// anything.
//===----------------------------------------------------------------------===//

normalform.contract "transform.with_pdl_patterns" complete model "opaque" {
}
normalform.contract "transform.irdl.collect_matching" complete model "opaque" {
}
normalform.contract "transform.pdl_match" {
  normalform.result 0 "any" count "unbounded"
}
