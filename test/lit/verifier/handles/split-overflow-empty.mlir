// RUN: formwork check %s --verify-diagnostics

// MLIR's interpreter ends the process: it reserves a negative number of entries
// for the overflow.
func.func @f() {
  return
}

module attributes {transform.with_named_sequence} {
  // expected-note @below {{the target %module is set here}}
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    // expected-warning @below {{requires a payload op to match but 'builtin.module' has none at this point}}
    // expected-note @below {{handle %none is set here}}
    %none = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires at least 2 payload ops in %none for an overflow result but it has at most 0}}
    %parts:2 = transform.split_handle %none {overflow_result = 0} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
