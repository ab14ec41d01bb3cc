// RUN: formwork check %s --verify-diagnostics
// RUN: not mlir-opt %s --transform-interpreter 2>&1 | FileCheck %s
// CHECK: op uses a handle invalidated by a previously executed transform op

// The body of a loop that is converted moves to the new loop, and the handles
// into it die with the old one.
func.func @f(%A: memref<16x8xf32>, %B: memref<8x16xf32>, %C: memref<16x16xf32>) {
  linalg.matmul ins(%A, %B : memref<16x8xf32>, memref<8x16xf32>) outs(%C : memref<16x16xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    // expected-note @below {{handle %tile is set here}}
    %tile, %forall = transform.structured.tile_using_forall %matmul tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-note @below {{'transform.loop.forall_to_for' consumes 'scf.forall', which contains the payload of this handle}}
    %loop = transform.loop.forall_to_for %forall : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a valid handle but %tile is invalidated}}
    // expected-note @below {{fix-it: match the payload again in %loop, which 'transform.loop.forall_to_for' returns}}
    transform.annotate %tile "test.seen" : !transform.any_op
    transform.yield
  }
}
