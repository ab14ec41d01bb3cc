// A matrix product, 512x256 by the transpose of 384x256, in f16 with sums in f32.
func.func @matmul(%A: tensor<512x256xf16>, %B: tensor<384x256xf16>)
    -> tensor<512x384xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x384xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x384xf32>)
      -> tensor<512x384xf32>
  %C = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                       affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>]
      ins(%A, %B : tensor<512x256xf16>, tensor<384x256xf16>)
      outs(%init : tensor<512x384xf32>) -> tensor<512x384xf32>
  return %C : tensor<512x384xf32>
}
