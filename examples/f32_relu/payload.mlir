// A fully connected layer, 512x256 by 256x384, then a bias for each column, and ReLU,
// in f32.
func.func @layer(%A: tensor<512x256xf32>, %B: tensor<256x384xf32>,
                 %bias: tensor<384xf32>) -> tensor<512x384xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x384xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x384xf32>)
      -> tensor<512x384xf32>
  %C = linalg.matmul ins(%A, %B : tensor<512x256xf32>, tensor<256x384xf32>)
      outs(%init : tensor<512x384xf32>) -> tensor<512x384xf32>
  %biased = linalg.elementwise kind=#linalg.elementwise_kind<add>
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>,
                       affine_map<(m, n) -> (m, n)>]
      ins(%C, %bias : tensor<512x384xf32>, tensor<384xf32>)
      outs(%empty : tensor<512x384xf32>) -> tensor<512x384xf32>
  %R = linalg.elementwise kind=#linalg.elementwise_kind<max_signed>
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>,
                       affine_map<(m, n) -> (m, n)>]
      ins(%biased, %zero : tensor<512x384xf32>, f32)
      outs(%empty : tensor<512x384xf32>) -> tensor<512x384xf32>
  return %R : tensor<512x384xf32>
}
