// The product of a matrix of 1024x512 and a vector, in f32.
func.func @matvec(%A: tensor<1024x512xf32>, %x: tensor<512xf32>)
    -> tensor<1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024xf32>)
      -> tensor<1024xf32>
  %y = linalg.matvec ins(%A, %x : tensor<1024x512xf32>, tensor<512xf32>)
      outs(%init : tensor<1024xf32>) -> tensor<1024xf32>
  return %y : tensor<1024xf32>
}
