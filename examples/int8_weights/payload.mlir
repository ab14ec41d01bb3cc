// A product of 512x256 in f16 by weights of 256x384 in i8, each column with a scale, with
// sums in f32.
#weights = affine_map<(k, n) -> (k, n)>
#column = affine_map<(k, n) -> (n)>
func.func @layer(%A: tensor<512x256xf16>, %Q: tensor<256x384xi8>,
                 %scale: tensor<384xf16>) -> tensor<512x384xf32> {
  %zero = arith.constant 0.0 : f32
  %weights = tensor.empty() : tensor<256x384xf16>
  %B = linalg.generic {indexing_maps = [#weights, #column, #weights],
                       iterator_types = ["parallel", "parallel"]}
      ins(%Q, %scale : tensor<256x384xi8>, tensor<384xf16>)
      outs(%weights : tensor<256x384xf16>) {
  ^bb0(%weight: i8, %factor: f16, %old: f16):
    %number = arith.sitofp %weight : i8 to f16
    %scaled = arith.mulf %number, %factor : f16
    linalg.yield %scaled : f16
  } -> tensor<256x384xf16>
  %empty = tensor.empty() : tensor<512x384xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x384xf32>)
      -> tensor<512x384xf32>
  %C = linalg.matmul ins(%A, %B : tensor<512x256xf16>, tensor<256x384xf16>)
      outs(%init : tensor<512x384xf32>) -> tensor<512x384xf32>
  return %C : tensor<512x384xf32>
}
