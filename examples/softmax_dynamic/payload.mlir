// The softmax of the first rows of a matrix, of 512 elements each, in f32; how many
// rows is only known when it runs. The others stay as they are.
func.func @softmax(%x: tensor<64x512xf32>, %out: tensor<64x512xf32>, %n: i32)
    -> tensor<64x512xf32> {
  %limit = arith.constant 65 : i32
  %count = arith.remui %n, %limit : i32
  %rows = arith.index_cast %count : i32 to index
  %some = tensor.extract_slice %x[0, 0] [%rows, 512] [1, 1]
      : tensor<64x512xf32> to tensor<?x512xf32>
  %to = tensor.extract_slice %out[0, 0] [%rows, 512] [1, 1]
      : tensor<64x512xf32> to tensor<?x512xf32>
  %y = linalg.softmax dimension(1) ins(%some : tensor<?x512xf32>)
      outs(%to : tensor<?x512xf32>) -> tensor<?x512xf32>
  %all = tensor.insert_slice %y into %out[0, 0] [%rows, 512] [1, 1]
      : tensor<?x512xf32> into tensor<64x512xf32>
  return %all : tensor<64x512xf32>
}
