// A product of f16 with a sum in f32, small enough to be emulated at every point.
func.func @matmul(%A: tensor<128x128xf16>, %B: tensor<128x128xf16>)
    -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>)
    -> tensor<128x128xf32>
  %C = linalg.matmul ins(%A, %B : tensor<128x128xf16>, tensor<128x128xf16>)
    outs(%init : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %C : tensor<128x128xf32>
}
