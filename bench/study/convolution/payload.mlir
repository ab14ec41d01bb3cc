// A 3x3 convolution of 2 images of 18x34 with 16 channels to 32, in f32.
func.func @convolution(%image: tensor<2x18x34x16xf32>,
                       %filter: tensor<3x3x16x32xf32>)
    -> tensor<2x16x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x16x32x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x16x32x32xf32>)
      -> tensor<2x16x32x32xf32>
  %result = linalg.conv_2d_nhwc_hwcf
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%image, %filter : tensor<2x18x34x16xf32>, tensor<3x3x16x32xf32>)
      outs(%init : tensor<2x16x32x32xf32>) -> tensor<2x16x32x32xf32>
  return %result : tensor<2x16x32x32xf32>
}
