// The first matcher that accepts decides; a structured matcher gives a parameter.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: %0:2 = "transform.foreach_match"(%arg0) <{actions = [@sized, @fail], matchers = [@ranked, @is_matmul]}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op) expected to contain 2 payloads but it contains 1 payloads

module attributes {transform.with_named_sequence} {
  transform.named_sequence @ranked(%x: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>) {
    %rank = transform.match.structured %x : (!transform.any_op) -> !transform.param<i64> {
      ^bb0(%s: !transform.any_op):
      %n = transform.match.structured.rank %s : (!transform.any_op) -> !transform.param<i64>
      %three = transform.param.constant 3 : i64 -> !transform.param<i64>
      transform.match.param.cmpi eq %n, %three : !transform.param<i64>
      transform.match.structured.yield %n : !transform.param<i64>
    }
    transform.yield %x, %rank : !transform.any_op, !transform.param<i64>
  }
  transform.named_sequence @sized(%x: !transform.any_op {transform.consumed}, %p: !transform.param<i64> {transform.readonly}) -> !transform.any_op {
    %t, %t_loop = transform.structured.tile_using_for %x tile_sizes [%p] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield %t : !transform.any_op
  }
  transform.named_sequence @is_matmul(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %x ["linalg.matmul"] : !transform.any_op
    transform.yield %x : !transform.any_op
  }
  transform.named_sequence @fail(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %q = transform.get_parent_op %x {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    transform.yield %q : !transform.any_op
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    // expected-note@+1 {{handle %r is set here}}
    %u, %r = transform.foreach_match in %m @ranked -> @sized, @is_matmul -> @fail : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error@+2 {{requires 2 payload ops in %r but it has 1 [fw-cardinality]}}
    // expected-note@+1 {{fix-it: split into 1 result}}
    %one, %two = transform.split_handle %r : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
