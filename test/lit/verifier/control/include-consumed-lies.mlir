// An argument that is marked as consumed is, whatever the body does with it.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: op uses a handle invalidated by a previously executed transform op

module attributes {transform.with_named_sequence} {
  // expected-warning@+1 {{op argument #0 is not consumed in the body but is marked as consumed}}
  transform.named_sequence @reads(%x: !transform.any_op {transform.consumed}) {
    transform.debug.emit_remark_at %x, "used" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-note@+1 {{handle %a is set here}}
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-note@+2 {{'transform.include' consumes this handle}}
    // expected-note@+1 {{the sequence marks this argument 'transform.consumed', whatever its body does}}
    transform.include @reads failures(propagate) (%a) : (!transform.any_op) -> ()
    // expected-error@+2 {{requires a valid handle but %a is invalidated [fw-use-after-consume]}}
    // expected-note@+1 {{fix-it: match the payload again after 'transform.include'}}
    transform.debug.emit_remark_at %a, "used" : !transform.any_op
    transform.yield
  }
}
