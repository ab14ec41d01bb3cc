// A sequence consumes what it says that it consumes, though nothing in it does: of
// the handles that are dead for that alone, a body in its place tells nothing.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-2: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

// The handle itself, which has nothing.
func.func @empty(%m: memref<8xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<8xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @look(%op: !transform.any_op {transform.consumed}) {
    transform.debug.emit_remark_at %op, "looked at" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %none = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.include @look failures(propagate) (%none) : (!transform.any_op) -> ()
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %fill "mark" : !transform.any_op
    transform.yield
  }
}

// -----

// Another handle to what it has.
func.func @alias(%m: memref<8xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<8xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @look(%op: !transform.any_op {transform.consumed}) {
    transform.debug.emit_remark_at %op, "looked at" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %same = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.include @look failures(propagate) (%fill) : (!transform.any_op) -> ()
    transform.yield
  }
}
