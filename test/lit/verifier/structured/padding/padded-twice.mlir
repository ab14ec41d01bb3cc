// An operand that needs no padding, but that a pad gives already, is among the pads.
// RUN: formwork check %s --strict
// RUN: formwork apply %s --validate -o %t.mlir

func.func @f(%a: tensor<1x2xf32>, %b: tensor<2x4xf32>, %c: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1x2xf32>, tensor<2x4xf32>) outs(%c : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %once, %first = transform.structured.pad_tiling_interface %0 to padding_sizes [4] pad_to_multiple_of {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %twice, %pads, %copy = transform.structured.pad %once {padding_dimensions = [0, 1], padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], nofold_flags = [1, 0, 1], copy_back_op = "none"}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
