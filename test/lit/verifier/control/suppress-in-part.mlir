// Whether the first step of a sequence that hides failures succeeds decides what the
// others find: of a matmul it does, and there is nothing left to tile; of a convolution
// it does not.
// RUN: formwork check %inputs/convolution.mlir --transform=%s 2>&1 | FileCheck %s
// RUN: formwork check %inputs/matmul.mlir --transform=%s 2>&1 | FileCheck %s --check-prefix=MATMUL
// RUN: not mlir-opt %inputs/convolution.mlir --transform-preload-library=transform-library-paths=%s --transform-interpreter -o %t.out
// RUN: mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%s --transform-interpreter -o %t.out
// RUN: formwork apply %inputs/matmul.mlir --transform=%s --validate -o %t.out

// CHECK: warning: does less than it says, {{.*}}: requires an op that can be vectorized but 'linalg.generic' cannot be [fw-hidden-failure]
// CHECK-NOT: 'transform.sequence' succeeds
// CHECK: cannot prove that 'transform.split_handle' succeeds
// CHECK: unproved: 0 errors
// MATMUL-NOT: fw-hidden-failure
// MATMUL: {{^[^ ]*}}: proved: 0 errors

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%x: !transform.any_op):
      %op = transform.structured.match interface{LinalgOp} in %x : (!transform.any_op) -> !transform.any_op
      transform.structured.vectorize %op : !transform.any_op
      %left = transform.structured.match interface{LinalgOp} in %x : (!transform.any_op) -> !transform.any_op
      %tiled, %loop = transform.structured.tile_using_for %left tile_sizes [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.yield
    }
    %loops = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %one, %two = transform.split_handle %loops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
