// An op whose accesses are no projected permutations, which has no form on vectors.
func.func @f(%A: tensor<15xf32>, %W: tensor<8xf32>, %B: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%A, %W : tensor<15xf32>, tensor<8xf32>) outs(%B : tensor<8xf32>) {
  ^bb0(%a: f32, %w: f32, %b: f32):
    %product = arith.mulf %a, %w : f32
    %sum = arith.addf %b, %product : f32
    linalg.yield %sum : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
