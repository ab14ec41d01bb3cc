// Parameters are zipped with ops.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: expected sizes to be non-negative, but got -8

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %s = transform.param.constant 32 : i64 -> !transform.param<i64>
    %s1 = transform.param.constant -8 : i64 -> !transform.param<i64>
    %both = transform.merge_handles %s, %s1 : !transform.param<i64>
    %ops = transform.merge_handles %a, %a : !transform.any_op
    transform.foreach %both : !transform.param<i64> {
      ^bb0(%p: !transform.param<i64>):
      %again = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
      // expected-error@+1 {{requires tile sizes and numbers of threads that are not negative but has -8 [fw-negative-tile-size]}}
      %t, %t_loop = transform.structured.tile_using_for %again tile_sizes [%p] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
      transform.yield
    }
    transform.yield
  }
}
