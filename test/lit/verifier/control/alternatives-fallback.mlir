// An alternative runs on a copy that has no parent, so that the second one counts.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{handle %x is set here}}
    %g = transform.alternatives %f : !transform.any_op -> !transform.any_op {
      ^bb0(%x: !transform.any_op):
      // expected-remark@+1 {{requires a parent op of the wanted kind but the payload of %x has none [fw-no-parent]}}
      %p = transform.get_parent_op %x : (!transform.any_op) -> !transform.any_op
      transform.yield %p : !transform.any_op
    }, {
      ^bb0(%x: !transform.any_op):
      transform.yield %x : !transform.any_op
    }
    transform.debug.emit_remark_at %g, "used" : !transform.any_op
    transform.yield
  }
}
