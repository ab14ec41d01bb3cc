// A match finds only ops that meet its conditions, of ops that a step made, too.
// RUN: formwork check %inputs/matmul.mlir --transform=%s 2>&1 | FileCheck %s
// RUN: formwork apply %inputs/matmul.mlir --transform=%s --validate -o %t

// CHECK: : proved: 0 errors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %loops = transform.structured.match interface{LoopLikeInterface} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loops : !transform.any_op
    %some = transform.structured.match ops{["linalg.matmul", "linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %general = transform.structured.generalize %some : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
