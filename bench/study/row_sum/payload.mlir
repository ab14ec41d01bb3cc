// The sum of the squares of each row of 16 scaled matrices, 96x160, in f32.
func.func @row_sum(%A: tensor<16x96x160xf32>, %scale: tensor<160xf32>)
    -> tensor<16x96xf32> {
  %zero = arith.constant 0.0 : f32
  %scaled_init = tensor.empty() : tensor<16x96x160xf32>
  %scaled = linalg.generic {
      indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>,
                       affine_map<(b, i, j) -> (j)>,
                       affine_map<(b, i, j) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%A, %scale : tensor<16x96x160xf32>, tensor<160xf32>)
      outs(%scaled_init : tensor<16x96x160xf32>) attrs = {scale} {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %product = arith.mulf %a, %s : f32
    linalg.yield %product : f32
  } -> tensor<16x96x160xf32>
  %empty = tensor.empty() : tensor<16x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x96xf32>)
      -> tensor<16x96xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>,
                       affine_map<(b, i, j) -> (b, i)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scaled : tensor<16x96x160xf32>) outs(%init : tensor<16x96xf32>)
      attrs = {reduce} {
  ^bb0(%x: f32, %acc: f32):
    %square = arith.mulf %x, %x : f32
    %next = arith.addf %acc, %square : f32
    linalg.yield %next : f32
  } -> tensor<16x96xf32>
  return %sum : tensor<16x96xf32>
}
