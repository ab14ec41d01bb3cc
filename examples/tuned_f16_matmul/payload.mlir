// A matrix product, 512x256 by 256x384, in f16 with sums in f32.
func.func @matmul(%A: tensor<512x256xf16>, %B: tensor<256x384xf16>)
    -> tensor<512x384xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x384xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x384xf32>)
      -> tensor<512x384xf32>
  %C = linalg.matmul ins(%A, %B : tensor<512x256xf16>, tensor<256x384xf16>)
      outs(%init : tensor<512x384xf32>) -> tensor<512x384xf32>
  return %C : tensor<512x384xf32>
}
