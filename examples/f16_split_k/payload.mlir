// A matrix product of few rows and columns and a long sum, 128x4096 by 4096x192, in
// f16 with sums in f32.
func.func @matmul(%A: tensor<128x4096xf16>, %B: tensor<4096x192xf16>)
    -> tensor<128x192xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x192xf32>)
      -> tensor<128x192xf32>
  %C = linalg.matmul ins(%A, %B : tensor<128x4096xf16>, tensor<4096x192xf16>)
      outs(%init : tensor<128x192xf32>) -> tensor<128x192xf32>
  return %C : tensor<128x192xf32>
}
