// An action of a foreach_match fails, which ends the alternative: what follows in
// it does not run, and is no error.
// RUN: mlir-opt %s --transform-interpreter -o %t.out
// RUN: %formwork check --static %s 2>&1 | FileCheck %s

// CHECK: warning: requires a valid handle but %scope is invalidated [fw-use-after-consume]
// CHECK: unproved: 0 errors

module attributes {transform.with_named_sequence} {
  func.func @f() {
    return
  }
  transform.named_sequence @any(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @fails(%op: !transform.any_op {transform.readonly}) {
    %value = transform.get_result %op[0] : (!transform.any_op) -> !transform.any_value
    transform.yield
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.alternatives %func : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      %root = transform.foreach_match in %scope @any -> @fails : (!transform.any_op) -> !transform.any_op
      %none = transform.structured.match ops{["arith.addf"]} in %scope : (!transform.any_op) -> !transform.any_op
    }, {
    ^bb0(%scope: !transform.any_op):
    }
    transform.yield
  }
}
