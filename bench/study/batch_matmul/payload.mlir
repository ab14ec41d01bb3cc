// A batch of 8 matrix products, 96x64 by 64x160, in f32.
func.func @batch_matmul(%A: tensor<8x96x64xf32>, %B: tensor<8x64x160xf32>)
    -> tensor<8x96x160xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x96x160xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x96x160xf32>)
      -> tensor<8x96x160xf32>
  %C = linalg.batch_matmul
      ins(%A, %B : tensor<8x96x64xf32>, tensor<8x64x160xf32>)
      outs(%init : tensor<8x96x160xf32>) -> tensor<8x96x160xf32>
  return %C : tensor<8x96x160xf32>
}
