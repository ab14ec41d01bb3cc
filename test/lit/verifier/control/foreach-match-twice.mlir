// A matcher that is given twice: MLIR's verifier warns, and its own tool never
// ends printing that.
// RUN: formwork check %s 2>&1 | FileCheck %s

// CHECK: warning: matcher @is_matmul is used more than once

module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @look(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %a = transform.foreach_match in %root @is_matmul -> @look, @is_matmul -> @look : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
