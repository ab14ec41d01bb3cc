// A matrix product, 128x128 by 128x128, in f16.
func.func @matmul(%A: tensor<128x128xf16>, %B: tensor<128x128xf16>)
    -> tensor<128x128xf16> {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<128x128xf16>
  %init = linalg.fill ins(%zero : f16) outs(%empty : tensor<128x128xf16>)
      -> tensor<128x128xf16>
  %C = linalg.matmul ins(%A, %B : tensor<128x128xf16>, tensor<128x128xf16>)
      outs(%init : tensor<128x128xf16>) -> tensor<128x128xf16>
  return %C : tensor<128x128xf16>
}
