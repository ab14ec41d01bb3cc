// A batch of 128 matrix products, 80x32 by 32x320, in f32.
func.func @batch_matmul(%A: tensor<128x80x32xf32>, %B: tensor<128x32x320xf32>)
    -> tensor<128x80x320xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x80x320xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x80x320xf32>)
      -> tensor<128x80x320xf32>
  %C = linalg.batch_matmul
      ins(%A, %B : tensor<128x80x32xf32>, tensor<128x32x320xf32>)
      outs(%init : tensor<128x80x320xf32>) -> tensor<128x80x320xf32>
  return %C : tensor<128x80x320xf32>
}
