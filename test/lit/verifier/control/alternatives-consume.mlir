// alternatives consume their scope, and what is in it.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: op uses a handle invalidated by a previously executed transform op

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{handle %a is set here}}
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{'transform.alternatives' consumes 'func.func', which contains the payload of this handle}}
    %g = transform.alternatives %f : !transform.any_op -> !transform.any_op {
      ^bb0(%x: !transform.any_op):
      transform.yield %x : !transform.any_op
    }
    transform.debug.emit_remark_at %g, "used" : !transform.any_op
    // expected-error@+2 {{requires a valid handle but %a is invalidated [fw-use-after-consume]}}
    // expected-note@+1 {{fix-it: match the payload again in %g, which 'transform.alternatives' returns}}
    transform.debug.emit_remark_at %a, "used" : !transform.any_op
    transform.yield
  }
}
