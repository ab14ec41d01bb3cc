// Only with restrict_root the root is asked about, too.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: actions failed

module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_func(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %x ["func.func"] : !transform.any_op
    transform.yield %x : !transform.any_op
  }
  transform.named_sequence @fail(%x: !transform.any_op {transform.readonly}) {
    // expected-error@+1 {{requires a parent op of the wanted kind but the payload of %x has none [fw-no-parent]}}
    %q = transform.get_parent_op %x {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{handle %x is set here}}
    %u = transform.foreach_match restrict_root in %f @is_func -> @fail : (!transform.any_op) -> !transform.any_op
    // expected-warning@+1 {{requires a payload op to match but the matchers accept none at this point, so nothing is done [fw-empty-match]}}
    %v = transform.foreach_match in %u @is_func -> @fail : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
