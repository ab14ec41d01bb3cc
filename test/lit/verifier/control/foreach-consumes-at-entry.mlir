// RUN: not formwork check %s 2>&1 | FileCheck %s
// RUN: not mlir-opt %s --transform-interpreter 2>&1 | FileCheck %s --check-prefix=UPSTREAM

// An op that a body consumes is dead outside of it from the start of the op.
// CHECK: error: requires a valid handle but %matmul is invalidated [fw-use-after-consume]
// CHECK: refuted: 1 error
// UPSTREAM: op uses a handle invalidated by a previously executed transform op
module {
  func.func @f(%A: memref<16x8xf32>, %B: memref<8x16xf32>, %C: memref<16x16xf32>) {
    linalg.matmul ins(%A, %B : memref<16x8xf32>, memref<8x16xf32>) outs(%C : memref<16x16xf32>)
    return
  }
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
      %matmul = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
      transform.foreach %matmul : !transform.any_op {
      ^bb0(%inner: !transform.any_op):
        transform.annotate %matmul "test.seen" : !transform.any_op
        %t, %l = transform.structured.tile_using_for %inner tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      }
      transform.yield
    }
  }
}
