// The largest element of each row of 64x1000, and the first place where it is, in f32.
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @argmax(%x: tensor<64x1000xf32>) -> (tensor<64xf32>, tensor<64xi64>) {
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %values = tensor.empty() : tensor<64xf32>
  %places = tensor.empty() : tensor<64xi64>
  %best0 = linalg.fill {value} ins(%least : f32) outs(%values : tensor<64xf32>)
      -> tensor<64xf32>
  %at0 = linalg.fill {place} ins(%none : i64) outs(%places : tensor<64xi64>)
      -> tensor<64xi64>
  %best, %at = linalg.generic {indexing_maps = [#all, #row, #row],
                               iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1000xf32>)
      outs(%best0, %at0 : tensor<64xf32>, tensor<64xi64>) {
  ^bb0(%value: f32, %largest: f32, %where: i64):
    %j = linalg.index 1 : index
    %place = arith.index_cast %j : index to i64
    %larger = arith.cmpf ogt, %value, %largest : f32
    %next = arith.select %larger, %value, %largest : f32
    %there = arith.select %larger, %place, %where : i64
    linalg.yield %next, %there : f32, i64
  } -> (tensor<64xf32>, tensor<64xi64>)
  return %best, %at : tensor<64xf32>, tensor<64xi64>
}
