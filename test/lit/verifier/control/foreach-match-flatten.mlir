// An action yields one op per result, unless results are flattened.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: action @both has results associated with multiple payload entities, but flattening was not requested

module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_func(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %x ["func.func"] : !transform.any_op
    transform.yield %x : !transform.any_op
  }
  transform.named_sequence @both(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %two = transform.structured.match ops{["linalg.matmul", "linalg.fill"]} in %x : (!transform.any_op) -> !transform.any_op
    transform.yield %two : !transform.any_op
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    // expected-error@+2 {{requires one payload entry per result of @both but result #0 has 2 [fw-cardinality]}}
    // expected-note@+1 {{fix-it: add 'flatten_results'}}
    %u, %r = transform.foreach_match in %m @is_func -> @both : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
