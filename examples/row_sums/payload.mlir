// The sum of each row of a matrix of 256x512, in f32.
func.func @row_sums(%x: tensor<256x512xf32>) -> tensor<256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256xf32>)
      -> tensor<256xf32>
  %sums = linalg.reduce {arith.addf} ins(%x : tensor<256x512xf32>)
      outs(%init : tensor<256xf32>) dimensions = [1]
  return %sums : tensor<256xf32>
}
