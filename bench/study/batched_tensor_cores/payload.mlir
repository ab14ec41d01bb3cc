// Two products of 64x64 by 64x64 in f16 with sums in f32.
func.func @matmul(%A: tensor<2x64x64xf16>, %B: tensor<2x64x64xf16>) -> tensor<2x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %C = linalg.batch_matmul ins(%A, %B : tensor<2x64x64xf16>, tensor<2x64x64xf16>)
      outs(%init : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  return %C : tensor<2x64x64xf32>
}
