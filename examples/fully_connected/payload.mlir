// A fully connected layer, then a bias per output and a ReLU, in f32:
// relu(x * w + b), with a batch of 128, 192 inputs and 256 outputs.
func.func @fully_connected(%x: tensor<128x192xf32>, %w: tensor<192x256xf32>,
                           %b: tensor<256xf32>) -> tensor<128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x256xf32>)
      -> tensor<128x256xf32>
  %product = linalg.matmul
      ins(%x, %w : tensor<128x192xf32>, tensor<192x256xf32>)
      outs(%init : tensor<128x256xf32>) -> tensor<128x256xf32>
  %biased = linalg.elementwise kind=#linalg.elementwise_kind<add>
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i, j)>]
      ins(%product, %b : tensor<128x256xf32>, tensor<256xf32>)
      outs(%empty : tensor<128x256xf32>) -> tensor<128x256xf32>
  %relu = linalg.elementwise kind=#linalg.elementwise_kind<max_signed>
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>,
                       affine_map<(i, j) -> (i, j)>]
      ins(%biased, %zero : tensor<128x256xf32>, f32)
      outs(%empty : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %relu : tensor<128x256xf32>
}
