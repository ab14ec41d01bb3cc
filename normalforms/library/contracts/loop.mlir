// The contracts of transform.loop.

//===----------------------------------------------------------------------===//
// transform.loop
//===----------------------------------------------------------------------===//

normalform.contract "transform.loop.unroll" complete model "unroll" {
  normalform.accepts 0 ["scf.for", "affine.for"] otherwise "failed to unroll, incorrect type of payload"
  normalform.payload "anchor" introduces ["arith.*", "affine.*"] rewrites ["*"]
}
normalform.contract "transform.loop.unroll_and_jam" {
  normalform.accepts 0 ["scf.for", "affine.for"] otherwise "failed to unroll and jam, incorrect type of payload"
  normalform.payload "target" introduces ["arith.*", "affine.*"] rewrites ["*"]
}
normalform.contract "transform.loop.peel" complete model "peel" {
  normalform.payload "anchor" introduces ["affine.*", "arith.*", "scf.for"]
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
normalform.contract "transform.loop.forall_to_for" complete model "convert-forall" {
  normalform.single 0 otherwise "expected a single payload op"
  normalform.accepts 0 ["scf.forall"] otherwise "expected the payload to be scf.forall"
  normalform.payload "anchor" introduces ["arith.constant"]
}
normalform.contract "transform.loop.forall_to_parallel" complete model "convert-forall" {
  normalform.single 0 otherwise "expected a single payload op"
  normalform.accepts 0 ["scf.forall"] otherwise "expected the payload to be scf.forall"
  normalform.payload "anchor" introduces ["arith.constant", "scf.reduce"]
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
