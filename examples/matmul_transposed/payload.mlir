// A product with the transpose of a matrix: 512x256 by (384x256)^T, in f32.
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>
func.func @matmul(%A: tensor<512x256xf32>, %B: tensor<384x256xf32>)
    -> tensor<512x384xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x384xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x384xf32>)
      -> tensor<512x384xf32>
  %C = linalg.matmul indexing_maps = [#rows, #columns, #result]
      ins(%A, %B : tensor<512x256xf32>, tensor<384x256xf32>)
      outs(%init : tensor<512x384xf32>) -> tensor<512x384xf32>
  return %C : tensor<512x384xf32>
}
