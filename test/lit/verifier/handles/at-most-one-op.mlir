// A handle of at most one op holds none of them twice, whatever became of it.
// RUN: not formwork check --static --strict %s 2>&1 | FileCheck %s

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.match ops{["scf.for"]} in %f : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    // CHECK-NOT: may consume one payload op more than once
    // CHECK: [[@LINE+1]]:{{.*}} 'transform.structured.vectorize_children_and_apply_patterns' succeeds: may have payload of a kind that it does not accept
    transform.structured.vectorize_children_and_apply_patterns %a : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
