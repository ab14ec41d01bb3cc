// The contracts of transform.loop, transform.scf and transform.affine.

//===----------------------------------------------------------------------===//
// transform.loop
//===----------------------------------------------------------------------===//

normalform.contract "transform.loop.unroll" complete model "unroll" {
  normalform.accepts 0 ["scf.for", "affine.for"] otherwise "failed to unroll, incorrect type of payload"
  normalform.may_fail "unrolls an affine.for of which a rest may be left that has no bound"
      when ["not kind 0 is scf.for", "not fact 0 is single-bounds"]
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["arith.*", "affine.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.domain "factor" ["at_most 4096"]
  normalform.effect 0 ["changed"] otherwise "the loop stays what it is"
}
normalform.contract "transform.loop.unroll_and_jam" complete model "unroll-and-jam" {
  normalform.accepts 0 ["scf.for", "affine.for"] otherwise "failed to unroll and jam, incorrect type of payload"
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["arith.*", "affine.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.domain "factor" ["at_most 4096"]
  normalform.effect 0 ["changed"] otherwise "the loop stays what it is"
  normalform.effect 0 ["never"] otherwise "a factor of 1 unrolls nothing" when ["attr factor is 1"]
}
normalform.contract "transform.loop.peel" complete model "peel" {
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["affine.*", "arith.*", "scf.for", "scf.yield"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.silenceable ["fw-nothing-to-peel"]
  normalform.effect 0 ["more $loop"] otherwise "no iteration is split off"
}
// Only loops with constant bounds and work for two stages are pipelined.
normalform.contract "transform.loop.pipeline" complete {
  normalform.requires @loops.static around 0 otherwise "failed to apply"
      when ["not fact 0 is constant-bounds"]
  normalform.may_fail "failed to apply" when ["not runs_alone 0"]
  normalform.result 0 "replaces" of 0 kinds ["scf.for"] count "per_target"
  normalform.payload "anchor" introduces ["+*", "arith.*", "scf.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["changed"] otherwise "the loop is not pipelined"
}
normalform.contract "transform.loop.coalesce" complete {
  normalform.accepts 0 ["scf.for", "affine.for"] otherwise "failed to coalesce"
  normalform.wants @loops.perfect_nest of 0
      otherwise "only loops that are perfectly nested in it are coalesced, and it fails where there is none"
  normalform.may_fail "failed to coalesce" when ["count 0 at_least 1", "not runs_here 0"]
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["arith.*", "affine.*"] rewrites ["scf.for", "affine.for"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["fewer $loop"] otherwise "no loops become one"
}
normalform.contract "transform.loop.outline" complete model "outline" {
  normalform.fails "failed to outline"
      when ["not kind 0 is scf.for", "not kind 0 is scf.forall", "not kind 0 is affine.for", "not fact 0 is outlinable"]
  normalform.needs_ancestor 0 ["func.func", "gpu.func"] definite
      otherwise "the process ends where no function is around the loop"
  normalform.needs_ancestor 0 ["builtin.module", "gpu.module"]
      otherwise "does not reference a valid function"
  normalform.result 0 "declared" of 0 kinds ["func.func"] count "per_target"
  normalform.result 1 "fresh" of 0 kinds ["func.call"] count "per_target"
      when ["not count 0 at_least 2"]
  normalform.result 1 "any" kinds ["func.call"] count "per_target"
      when ["count 0 at_least 2"]
  // The loop and what it holds are in the new function then, out of all that was
  // around them.
  normalform.payload "root" introduces ["+*", "func.*", "scf.execute_region", "scf.yield", "arith.*"] rewrites ["$loop", "scf.*", "affine.*"]
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}
normalform.contract "transform.loop.forall_to_for" complete model "convert-forall" {
  normalform.single 0 otherwise "expected a single payload op"
  normalform.accepts 0 ["scf.forall"] otherwise "expected the payload to be scf.forall"
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["scf.yield", "arith.constant"]
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}
normalform.contract "transform.loop.forall_to_parallel" complete model "convert-forall" {
  normalform.single 0 otherwise "expected a single payload op"
  normalform.accepts 0 ["scf.forall"] otherwise "expected the payload to be scf.forall"
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["arith.constant", "scf.reduce"]
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}
normalform.contract "transform.loop.parallel_for_to_nested_fors" complete {
  normalform.single 0 otherwise "expected a single payload op"
  normalform.accepts 0 ["scf.parallel"] otherwise "expected the payload to be scf.parallel"
  normalform.may_fail "failed to convert parallel into nested fors" when ["not runs_alone 0"]
  normalform.result 0 onwards "any" kinds ["scf.for"] count "one"
  normalform.payload "anchor" introduces ["scf.for", "scf.yield", "arith.*"] rewrites ["scf.parallel", "scf.reduce"]
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}
// Loops have one shape if the values of their bounds are the same: constants that are
// equal only count after clean-up.
normalform.contract "transform.loop.fuse_sibling" complete {
  normalform.wants @driver of 0
      otherwise "loops whose bounds are equal constants, but not the same values, are not fused"
  normalform.single 0 otherwise "requires exactly one target handle"
  normalform.single 1 otherwise "requires exactly one target handle"
  normalform.may_fail "fuses loops that may not be siblings of one shape" when ["not runs_here 0"]
  normalform.result 0 "anchored" of 1 count "per_target"
  normalform.payload "anchor" introduces ["+*", "scf.*", "arith.*"] rewrites ["scf.*", "tensor.parallel_insert_slice"]
  normalform.effect 0 ["fewer $loop"] otherwise "no loops become one"
}
// A loop with more than one iteration stays unchanged. The contract wants no form:
// rules that would fold the trip count to one also erase the loop, and with it the
// handle.
normalform.contract "transform.loop.promote_if_one_iteration" complete {
  normalform.accepts 0 ["$loop"] otherwise "transform applied to the wrong op kind"
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["arith.*", "affine.*", "tensor.insert_slice"]
      rewrites ["$loop", "scf.*", "affine.yield", "tensor.parallel_insert_slice"] handles ["may_move"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}

//===----------------------------------------------------------------------===//
// transform.scf
//===----------------------------------------------------------------------===//

normalform.contract "transform.scf.take_assumed_branch" complete model "take-branch" {
  normalform.accepts 0 ["scf.if"] otherwise "transform applied to the wrong op kind"
  normalform.fails "requires an scf.if op with a single-block `else` region" definite
      when ["attr take_else_branch", "not fact 0 is else-block"]
  normalform.payload "anchor"
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}

//===----------------------------------------------------------------------===//
// transform.affine
//===----------------------------------------------------------------------===//

normalform.contract "transform.affine.simplify_bounded_affine_ops" complete {
  normalform.accepts 0 ["affine.min", "affine.max"] otherwise "target must be affine.min or affine.max"
  normalform.may_fail "bounds values that may be no single indices" when ["not runs_here 0"]
  normalform.payload "anchor" introduces ["affine.*", "arith.constant"] rewrites ["affine.*", "arith.*"]
  normalform.effect 0 ["changed"] otherwise "the target is not simplified"
}
normalform.contract "transform.affine.simplify_min_max_affine_ops" complete {
  normalform.accepts 0 ["affine.min", "affine.max"] otherwise "target must be affine.min or affine.max"
  normalform.may_fail "the transform failed to simplify any of the target operations" when ["not runs_here 0"]
  normalform.payload "anchor" introduces ["affine.*", "arith.constant"] rewrites ["affine.*", "arith.*"]
  normalform.effect 0 ["changed"] otherwise "the target is not simplified"
}
