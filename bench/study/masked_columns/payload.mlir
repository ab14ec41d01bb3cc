// A scaled sum of two matrices, 192x8, in f32. How many columns are computed is a value,
// so that no type says it.
func.func @axpy(%A: tensor<192x8xf32>, %B: tensor<192x8xf32>)
    -> tensor<192x8xf32> {
  %half = arith.constant 0.5 : f32
  %columns = arith.constant 6 : index
  %a_part = tensor.extract_slice %A[0, 0] [192, %columns] [1, 1]
      : tensor<192x8xf32> to tensor<192x?xf32>
  %b_part = tensor.extract_slice %B[0, 0] [192, %columns] [1, 1]
      : tensor<192x8xf32> to tensor<192x?xf32>
  %c_part = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a_part : tensor<192x?xf32>) outs(%b_part : tensor<192x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %scaled = arith.mulf %a, %half : f32
    %sum = arith.addf %scaled, %b : f32
    linalg.yield %sum : f32
  } -> tensor<192x?xf32>
  %C = tensor.insert_slice %c_part into %B[0, 0] [192, %columns] [1, 1]
      : tensor<192x?xf32> into tensor<192x8xf32>
  return %C : tensor<192x8xf32>
}
