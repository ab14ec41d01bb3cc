// MLIR reads transpose_paddings, and does nothing with them.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --static 2>&1 | FileCheck %s
// RUN: formwork apply %inputs/matmul.mlir --transform=%s --validate -o %t
// RUN: sed 's/transpose_paddings = .*$/transpose_paddings = []}/' %s > %t.mlir
// RUN: formwork apply %inputs/matmul.mlir --transform=%t.mlir -o - | diff %t -

// CHECK: : proved: 0 errors

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %padded, %pads, %copy = transform.structured.pad %tile {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2],
      transpose_paddings = [[1, 0], [0, 1], [0, 1]]}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
