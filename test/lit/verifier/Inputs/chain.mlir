// A matmul of a sum, which adds to what a fill has made.
func.func @f(%A: tensor<16x16xf32>, %B: tensor<16x16xf32>, %C: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %doubled = linalg.add ins(%A, %A : tensor<16x16xf32>, tensor<16x16xf32>) outs(%A : tensor<16x16xf32>) -> tensor<16x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%C : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = linalg.matmul ins(%doubled, %B : tensor<16x16xf32>, tensor<16x16xf32>) outs(%init : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
