// A convolution of a window of height 1 is made smaller by slices, of which dynamic
// sizes are asked for, by a constant.
// RUN: formwork apply %s --validate -o %t.mlir

module {
  func.func @f(%A: tensor<1x1x?x4xf32>, %B: tensor<1x2x4x3xf32>, %C: tensor<1x1x5x3xf32>) -> tensor<1x1x5x3xf32> {
    %r = linalg.conv_2d_nhwc_hwcf ins(%A, %B : tensor<1x1x?x4xf32>, tensor<1x2x4x3xf32>) outs(%C : tensor<1x1x5x3xf32>) -> tensor<1x1x5x3xf32>
    return %r : tensor<1x1x5x3xf32>
  }
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
      %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %m : (!transform.any_op) -> !transform.any_op
      %small = transform.structured.decompose %conv : (!transform.any_op) -> !transform.any_op
      transform.print %small : !transform.any_op
      transform.yield
    }
  }
}
