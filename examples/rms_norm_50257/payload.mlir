// Each row of a matrix of 128x50257 divided by the root of the mean of its squares,
// times a weight per column, in f32.
func.func @rms_norm(%x: tensor<128x50257xf32>, %weight: tensor<50257xf32>)
    -> tensor<128x50257xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 50257.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %rows = tensor.empty() : tensor<128xf32>
  %empty = tensor.empty() : tensor<128x50257xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<128xf32>)
      -> tensor<128xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<128x50257xf32>) outs(%init : tensor<128xf32>) {
  ^bb0(%value: f32, %acc: f32):
    %square = arith.mulf %value, %value : f32
    %next = arith.addf %acc, %square : f32
    linalg.yield %next : f32
  } -> tensor<128xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                       affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %weight : tensor<128x50257xf32>, tensor<128xf32>,
          tensor<50257xf32>)
      outs(%empty : tensor<128x50257xf32>) {
  ^bb0(%value: f32, %squares: f32, %scale: f32, %out: f32):
    %mean = arith.divf %squares, %count : f32
    %shifted = arith.addf %mean, %epsilon : f32
    %inverse = math.rsqrt %shifted : f32
    %normal = arith.mulf %value, %inverse : f32
    %scaled = arith.mulf %normal, %scale : f32
    linalg.yield %scaled : f32
  } -> tensor<128x50257xf32>
  return %y : tensor<128x50257xf32>
}
