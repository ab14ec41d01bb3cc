// An op that is not registered is not isolated from above: no pass runs on it, and it
// dies with the function around it.
// RUN: split-file %s %t
// RUN: not formwork check %t/payload.mlir --transform=%t/pass.mlir --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not formwork check %t/payload.mlir --transform=%t/inside.mlir --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=INSIDE

// PASS: error: requires an op that is isolated from above for pass 'canonicalize' but %op has 'test.op' [fw-pass-anchor]
// INSIDE: error: requires a valid handle but %op is invalidated [fw-use-after-consume]

//--- payload.mlir
func.func @f(%c: i1, %A: memref<4xf32>) {
  scf.if %c {
    "test.op"(%A) : (memref<4xf32>) -> ()
  }
  return
}

//--- pass.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["test.op"]} in %m : (!transform.any_op) -> !transform.any_op
    %new = transform.apply_registered_pass "canonicalize" to %op : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- inside.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["test.op"]} in %m : (!transform.any_op) -> !transform.any_op
    %f = transform.get_parent_op %op {isolated_from_above} : (!transform.any_op) -> !transform.any_op
    %new = transform.apply_registered_pass "canonicalize" to %f : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %op, "dead" : !transform.any_op
    transform.yield
  }
}
