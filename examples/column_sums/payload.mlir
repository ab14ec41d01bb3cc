// The sum of each column of a matrix of 64x512, in f32.
func.func @column_sums(%x: tensor<64x512xf32>) -> tensor<512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512xf32>)
      -> tensor<512xf32>
  %sums = linalg.reduce {arith.addf} ins(%x : tensor<64x512xf32>)
      outs(%init : tensor<512xf32>) dimensions = [0]
  return %sums : tensor<512xf32>
}
