// A producer that only another producer reads is read in the loop once that one is there.
// RUN: formwork check %inputs/matmul.mlir --transform=%s 2>&1 | FileCheck %s
// RUN: formwork apply %inputs/matmul.mlir --transform=%s -o %t

// CHECK-NOT: fw-not-a-producer
// CHECK: unproved: 0 errors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %both = transform.structured.match ops{["linalg.fill", "arith.constant"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %forall = transform.structured.tile_using_forall %matmul tile_sizes [8, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %loop = transform.structured.fuse_into_containing_op %both into %forall : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
