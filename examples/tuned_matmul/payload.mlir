// A matrix product, 192x64 by 64x160, in f32.
func.func @matmul(%A: tensor<192x64xf32>, %B: tensor<64x160xf32>)
    -> tensor<192x160xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<192x160xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<192x160xf32>)
      -> tensor<192x160xf32>
  %C = linalg.matmul ins(%A, %B : tensor<192x64xf32>, tensor<64x160xf32>)
      outs(%init : tensor<192x160xf32>) -> tensor<192x160xf32>
  return %C : tensor<192x160xf32>
}
