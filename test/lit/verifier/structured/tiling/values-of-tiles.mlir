// A structured op that tiling made has as many operands and results as the one that was tiled.
// RUN: formwork check %inputs/matmul.mlir --transform=%s 2>&1 | FileCheck %s
// RUN: formwork apply %inputs/matmul.mlir --transform=%s --validate -o %t

// CHECK: : proved: 0 errors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %inputs = transform.get_operand %tile[0, 1] : (!transform.any_op) -> !transform.any_value
    %result = transform.get_result %tile[all] : (!transform.any_op) -> !transform.any_value
    %same = transform.get_defining_op %result : (!transform.any_value) -> !transform.any_op
    transform.yield
  }
}
