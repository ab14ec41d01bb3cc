// A convolution with 3x3 filters, bias and ReLU: 8 images of 18x18 with 32 channels
// to 16x16 with 64, in f16 with sums and the result in f32.
#image = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>
func.func @convolution(%x: tensor<8x18x18x32xf16>, %w: tensor<3x3x32x64xf16>,
                       %bias: tensor<64xf32>) -> tensor<8x16x16x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x16x16x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x16x16x64xf32>)
      -> tensor<8x16x16x64xf32>
  %sums = linalg.conv_2d_nhwc_hwcf
      ins(%x, %w : tensor<8x18x18x32xf16>, tensor<3x3x32x64xf16>)
      outs(%init : tensor<8x16x16x64xf32>) -> tensor<8x16x16x64xf32>
  %y = linalg.generic {indexing_maps = [#image, #channel, #image],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums, %bias : tensor<8x16x16x64xf32>, tensor<64xf32>)
      outs(%empty : tensor<8x16x16x64xf32>) {
  ^bb0(%sum: f32, %shift: f32, %out: f32):
    %shifted = arith.addf %sum, %shift : f32
    %positive = arith.maximumf %shifted, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<8x16x16x64xf32>
  return %y : tensor<8x16x16x64xf32>
}
