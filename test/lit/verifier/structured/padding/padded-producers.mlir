// A reader of a padded operand reads what padding put before it, until clean-up may have folded
// that.
// RUN: formwork check %s --strict
// RUN: formwork apply %s --validate -o %t.mlir
// RUN: sed 's/%g = .*/transform.apply_patterns to %f { transform.apply_patterns.canonicalization } : !transform.any_op/' %s > %t.folded.mlir
// RUN: formwork check %t.folded.mlir 2>&1 | FileCheck %s
// CHECK: asks for the producer of an operand that may have none

func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %0 : tensor<24x25xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %0 tile_sizes [5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %padded, %pads, %copy = transform.structured.pad %tile {padding_dimensions = [0], padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %lhs = transform.get_producer_of_operand %padded[0] : (!transform.any_op) -> !transform.op<"tensor.pad">
    %g = transform.cast %f : !transform.any_op to !transform.op<"func.func">
    %init = transform.get_producer_of_operand %padded[2] : (!transform.any_op) -> !transform.op<"tensor.pad">
    transform.yield
  }
}
