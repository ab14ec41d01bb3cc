// collect_matching gives what its matcher yields, in the order of a walk.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: {{.*}}expected to contain 2 payloads but it contains 3 payloads

module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_matmul(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %x ["linalg.matmul", "linalg.fill", "func.func"] : !transform.any_op
    transform.yield %x : !transform.any_op
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-note@+1 {{handle %q is set here}}
    %q = transform.collect_matching @is_matmul in %m : (!transform.any_op) -> !transform.any_op
    // expected-error@+2 {{requires 2 payload ops in %q but it has 3 [fw-cardinality]}}
    // expected-note@+1 {{fix-it: split into 3 results}}
    %one, %two = transform.split_handle %q : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
