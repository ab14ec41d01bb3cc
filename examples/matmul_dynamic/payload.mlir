// The product of the first rows of a matrix by another, 256x384, in f32; how many
// rows is only known when it runs. The other rows of the result stay as they are.
func.func @matmul(%A: tensor<320x256xf32>, %B: tensor<256x384xf32>,
                  %out: tensor<320x384xf32>, %n: i32) -> tensor<320x384xf32> {
  %limit = arith.constant 321 : i32
  %zero = arith.constant 0.0 : f32
  %count = arith.remui %n, %limit : i32
  %rows = arith.index_cast %count : i32 to index
  %some = tensor.extract_slice %A[0, 0] [%rows, 256] [1, 1]
      : tensor<320x256xf32> to tensor<?x256xf32>
  %to = tensor.extract_slice %out[0, 0] [%rows, 384] [1, 1]
      : tensor<320x384xf32> to tensor<?x384xf32>
  %init = linalg.fill ins(%zero : f32) outs(%to : tensor<?x384xf32>)
      -> tensor<?x384xf32>
  %C = linalg.matmul ins(%some, %B : tensor<?x256xf32>, tensor<256x384xf32>)
      outs(%init : tensor<?x384xf32>) -> tensor<?x384xf32>
  %all = tensor.insert_slice %C into %out[0, 0] [%rows, 384] [1, 1]
      : tensor<?x384xf32> into tensor<320x384xf32>
  return %all : tensor<320x384xf32>
}
