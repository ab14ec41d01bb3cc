// A matrix product by 256x384, in f32; how many rows is known when it runs.
func.func @matmul(%A: tensor<?x256xf32>, %B: tensor<256x384xf32>)
    -> tensor<?x384xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %A, %c0 : tensor<?x256xf32>
  %empty = tensor.empty(%rows) : tensor<?x384xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x384xf32>)
      -> tensor<?x384xf32>
  %C = linalg.matmul ins(%A, %B : tensor<?x256xf32>, tensor<256x384xf32>)
      outs(%init : tensor<?x384xf32>) -> tensor<?x384xf32>
  return %C : tensor<?x384xf32>
}
