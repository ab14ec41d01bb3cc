// A scaled sum of two tall matrices, 66240x8, in f32.
func.func @axpy(%A: tensor<66240x8xf32>, %B: tensor<66240x8xf32>)
    -> tensor<66240x8xf32> {
  %half = arith.constant 0.5 : f32
  %empty = tensor.empty() : tensor<66240x8xf32>
  %C = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%A, %B : tensor<66240x8xf32>, tensor<66240x8xf32>)
      outs(%empty : tensor<66240x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %scaled = arith.mulf %a, %half : f32
    %sum = arith.addf %scaled, %b : f32
    linalg.yield %sum : f32
  } -> tensor<66240x8xf32>
  return %C : tensor<66240x8xf32>
}
