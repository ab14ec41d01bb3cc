func.func @matmul(%A: tensor<256x256xf16>, %B: tensor<256x256xf16>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %C = linalg.matmul ins(%A, %B : tensor<256x256xf16>, tensor<256x256xf16>) outs(%i : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %C : tensor<256x256xf32>
}
