// A depthwise convolution with 3x3 filters: 8 images of 30x30 with 64 channels to 28x28,
// in f32.
func.func @convolution(%x: tensor<8x30x30x64xf32>, %w: tensor<3x3x64xf32>)
    -> tensor<8x28x28x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x28x28x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x28x28x64xf32>)
      -> tensor<8x28x28x64xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc
      ins(%x, %w : tensor<8x30x30x64xf32>, tensor<3x3x64xf32>)
      outs(%init : tensor<8x28x28x64xf32>) -> tensor<8x28x28x64xf32>
  return %y : tensor<8x28x28x64xf32>
}
