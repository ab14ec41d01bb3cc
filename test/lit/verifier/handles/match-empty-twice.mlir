// Each match that finds nothing says so, also one that asks the same again.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --static --verify-diagnostics

module attributes {transform.with_named_sequence} {
  // expected-note@+1 {{the target %m is set here}}
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-warning@+1 {{so that all that depends on %first does nothing or fails [fw-empty-match]}}
    %first = transform.structured.match ops{["scf.forall"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-warning@+1 {{so that all that depends on %second does nothing or fails [fw-empty-match]}}
    %second = transform.structured.match ops{["scf.forall"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
