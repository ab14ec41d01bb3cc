// The softmax of each row of a matrix of 128x50257, in f32.
func.func @softmax(%x: tensor<128x50257xf32>) -> tensor<128x50257xf32> {
  %empty = tensor.empty() : tensor<128x50257xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<128x50257xf32>)
      outs(%empty : tensor<128x50257xf32>) -> tensor<128x50257xf32>
  return %y : tensor<128x50257xf32>
}
