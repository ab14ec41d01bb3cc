// A matrix product, 1000x1024 by 1024x1000, in f16 with sums in f32.
func.func @matmul(%A: tensor<1000x1024xf16>, %B: tensor<1024x1000xf16>)
    -> tensor<1000x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1000x1000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1000x1000xf32>)
      -> tensor<1000x1000xf32>
  %C = linalg.matmul ins(%A, %B : tensor<1000x1024xf16>, tensor<1024x1000xf16>)
      outs(%init : tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  return %C : tensor<1000x1000xf32>
}
