// Results that are left over are empty, and which ones these are is known.
// RUN: formwork check %inputs/matmul.mlir --transform=%s 2>&1 | FileCheck %s
// RUN: formwork apply %inputs/matmul.mlir --transform=%s --validate -o %t

// CHECK: : proved: 0 errors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %parts:2 = transform.split_handle %matmul {fail_on_payload_too_small = false} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tile, %loop = transform.structured.tile_using_for %parts#0 tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %none, %loops = transform.structured.tile_using_for %parts#1 tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %both = transform.structured.match ops{["linalg.fill", "linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
