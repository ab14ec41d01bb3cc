// A product of 64x64 by the transpose of 64x64 in f16 with sums in f32.
func.func @matmul(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %C = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                       affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>]
      ins(%A, %B : tensor<64x64xf16>, tensor<64x64xf16>)
      outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %C : tensor<64x64xf32>
}
