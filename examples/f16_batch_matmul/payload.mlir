// Three matrix products, 512x256 by 256x384, in f16 with sums in f32.
func.func @batch_matmul(%A: tensor<3x512x256xf16>, %B: tensor<3x256x384xf16>)
    -> tensor<3x512x384xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x512x384xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x512x384xf32>)
      -> tensor<3x512x384xf32>
  %C = linalg.batch_matmul ins(%A, %B : tensor<3x512x256xf16>, tensor<3x256x384xf16>)
      outs(%init : tensor<3x512x384xf32>) -> tensor<3x512x384xf32>
  return %C : tensor<3x512x384xf32>
}
