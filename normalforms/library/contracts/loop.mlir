// The contracts of transform.loop.

//===----------------------------------------------------------------------===//
// transform.loop
//===----------------------------------------------------------------------===//

normalform.contract "transform.loop.unroll" {
  normalform.accepts 0 ["scf.for", "affine.for"] otherwise "failed to unroll, incorrect type of payload"
  normalform.payload "target" introduces ["arith.*", "affine.*"] rewrites ["*"]
}
normalform.contract "transform.loop.unroll_and_jam" {
  normalform.accepts 0 ["scf.for", "affine.for"] otherwise "failed to unroll and jam, incorrect type of payload"
  normalform.payload "target" introduces ["arith.*", "affine.*"] rewrites ["*"]
}
normalform.contract "transform.loop.peel" {
  normalform.accepts 0 ["scf.for"] otherwise "requires an scf.for"
  normalform.result 0 "same" of 0 count "per_target"
  normalform.result 1 "any" kinds ["scf.for"] count "at_most_per_target"
  normalform.payload "anchor" introduces ["*"] rewrites ["affine.*", "arith.*"]
}
normalform.contract "transform.loop.pipeline" {
  normalform.accepts 0 ["scf.for"] otherwise "requires an scf.for"
  normalform.result 0 "replaces" of 0 kinds ["scf.for"] count "per_target"
  normalform.payload "anchor" introduces ["*"] rewrites ["*"]
}
normalform.contract "transform.loop.coalesce" {
  normalform.accepts 0 ["scf.for", "affine.for"] otherwise "expects scf.for or affine.for"
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "anchor" introduces ["arith.*", "affine.*"] rewrites ["scf.for", "affine.for"]
}
normalform.contract "transform.loop.outline" {
  normalform.result 0 "any" kinds ["func.func"] count "per_target"
  normalform.result 1 "any" kinds ["func.call"] count "per_target"
  normalform.payload "root" introduces ["func.*", "scf.execute_region"] rewrites ["scf.*"]
}
normalform.contract "transform.loop.forall_to_for" {
  normalform.accepts 0 ["scf.forall"] otherwise "expected a single scf.forall payload"
  normalform.single 0 otherwise "expected a single payload op"
  normalform.payload "anchor" introduces ["scf.for"]
}
normalform.contract "transform.loop.forall_to_parallel" {
  normalform.accepts 0 ["scf.forall"] otherwise "expected a single scf.forall payload"
  normalform.single 0 otherwise "expected a single payload op"
  normalform.result 0 "any" kinds ["scf.parallel"] count "one"
  normalform.payload "anchor" introduces ["scf.parallel"]
}
normalform.contract "transform.loop.fuse_sibling" {
  normalform.single 0 otherwise "requires exactly one target handle"
  normalform.single 1 otherwise "requires exactly one source handle"
  normalform.result 0 "any" count "one"
  normalform.payload "anchor" rewrites ["scf.*"]
}
normalform.contract "transform.loop.promote_if_one_iteration" {
  normalform.payload "anchor" rewrites ["scf.*", "affine.for"]
}
