// The ops in a target may be gone with it before it is refused.
// RUN: formwork check %inputs/matmul.mlir --transform=%s 2>&1 | FileCheck %s
// RUN: formwork apply %inputs/matmul.mlir --transform=%s -o %t

// CHECK: may have payload of a kind that it does not accept
// CHECK: unproved: 0 errors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %inner = transform.structured.match ops{["arith.mulf"]} in %m : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %both = transform.merge_handles %matmul, %inner : !transform.any_op
    %tile, %forall = transform.structured.tile_using_forall %both num_threads [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
