// Where the payload is not known op by op, what a matcher does to any op decides: one that
// suppresses its failures yields nothing for what does not match.
// RUN: formwork check --no-payload %s 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: sed 's/match.structured %op/match.structured failures(suppress) %op/' %s > %t.suppress.mlir
// RUN: formwork check --no-payload %t.suppress.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo 'module {}' > %t.payload.mlir
// RUN: not formwork apply %t.payload.mlir --transform=%t.suppress.mlir --unchecked -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: sed 's/^    .structured = /    %%values = transform.get_result %%op[all] : (!transform.any_op) -> !transform.any_value\n&/' %s > %t.other.mlir
// RUN: formwork check --no-payload %t.other.mlir 2>&1 | FileCheck %s --check-prefix=OTHER

// PROVED: : proved: 0 errors
// NONE: may collect none or several values for a result that takes one [fw-unproved]
// STOCK: error: result #0, associated with 0 payload objects, expected 1
// OTHER: requires a matcher that accepts or rejects each op but @structured fails
// OTHER: : unproved: 0 errors

module attributes {transform.with_named_sequence} {
  transform.named_sequence @structured(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %structured = transform.match.structured %op : (!transform.any_op) -> !transform.any_op {
    ^bb0(%target: !transform.any_op):
      transform.match.structured.yield %target : !transform.any_op
    }
    transform.yield %structured : !transform.any_op
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %all = transform.collect_matching @structured in %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
