// A matrix product, 128x256 by 256x128, in f32.
func.func @matmul(%A: tensor<128x256xf32>, %B: tensor<256x128xf32>)
    -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>)
      -> tensor<128x128xf32>
  %C = linalg.matmul ins(%A, %B : tensor<128x256xf32>, tensor<256x128xf32>)
      outs(%init : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %C : tensor<128x128xf32>
}
