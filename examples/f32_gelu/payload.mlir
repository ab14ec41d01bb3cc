// A fully connected layer, 512x256 by 256x384, with a bias for each column and GELU,
// in f32.
func.func @layer(%A: tensor<512x256xf32>, %B: tensor<256x384xf32>,
                 %bias: tensor<384xf32>) -> tensor<512x384xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.70710678 : f32
  %empty = tensor.empty() : tensor<512x384xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x384xf32>)
      -> tensor<512x384xf32>
  %C = linalg.matmul ins(%A, %B : tensor<512x256xf32>, tensor<256x384xf32>)
      outs(%init : tensor<512x384xf32>) -> tensor<512x384xf32>
  %R = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>,
                       affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%C, %bias : tensor<512x384xf32>, tensor<384xf32>)
      outs(%empty : tensor<512x384xf32>) {
  ^bb0(%c: f32, %b: f32, %old: f32):
    %x = arith.addf %c, %b : f32
    %y = arith.mulf %x, %root : f32
    %erf = math.erf %y : f32
    %both = arith.addf %erf, %one : f32
    %z = arith.mulf %x, %half : f32
    %gelu = arith.mulf %z, %both : f32
    linalg.yield %gelu : f32
  } -> tensor<512x384xf32>
  return %R : tensor<512x384xf32>
}
