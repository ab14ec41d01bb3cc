// A scaled sum of two matrices, 192x240, in f32.
func.func @axpy(%A: tensor<192x240xf32>, %B: tensor<192x240xf32>)
    -> tensor<192x240xf32> {
  %half = arith.constant 0.5 : f32
  %empty = tensor.empty() : tensor<192x240xf32>
  %C = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%A, %B : tensor<192x240xf32>, tensor<192x240xf32>)
      outs(%empty : tensor<192x240xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %scaled = arith.mulf %a, %half : f32
    %sum = arith.addf %scaled, %b : f32
    linalg.yield %sum : f32
  } -> tensor<192x240xf32>
  return %C : tensor<192x240xf32>
}
