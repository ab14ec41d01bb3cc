// The transpose of a matrix of 256x512, in f32.
func.func @transpose(%x: tensor<256x512xf32>) -> tensor<512x256xf32> {
  %empty = tensor.empty() : tensor<512x256xf32>
  %y = linalg.transpose ins(%x : tensor<256x512xf32>)
      outs(%empty : tensor<512x256xf32>) permutation = [1, 0]
  return %y : tensor<512x256xf32>
}
