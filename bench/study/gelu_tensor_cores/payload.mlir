// A fully connected layer in f16: the product of 64x64 by 64x64 with sums in f32,
// a bias for each column, and GELU.
func.func @layer(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>,
                 %bias: tensor<64xf32>) -> tensor<64x64xf16> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.70710678 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>)
      -> tensor<64x64xf32>
  %C = linalg.matmul ins(%A, %B : tensor<64x64xf16>, tensor<64x64xf16>)
      outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %out = tensor.empty() : tensor<64x64xf16>
  %R = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>,
                       affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%C, %bias : tensor<64x64xf32>, tensor<64xf32>)
      outs(%out : tensor<64x64xf16>) {
  ^bb0(%c: f32, %b: f32, %old: f16):
    %x = arith.addf %c, %b : f32
    %y = arith.mulf %x, %root : f32
    %erf = math.erf %y : f32
    %both = arith.addf %erf, %one : f32
    %z = arith.mulf %x, %half : f32
    %gelu = arith.mulf %z, %both : f32
    %narrow = arith.truncf %gelu : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<64x64xf16>
  return %R : tensor<64x64xf16>
}
