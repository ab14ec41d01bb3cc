// Attention of a head in f16, with sums and the softmax in f32: the softmax of the
// scaled scores of 64 queries and keys of 32 elements, times 64 values.
#scores = affine_map<(q, k) -> (q, k)>
func.func @attention(%Q: tensor<64x32xf16>, %K: tensor<32x64xf16>,
                     %V: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant 0.125 : f32
  %e0 = tensor.empty() : tensor<64x64xf32>
  %s0 = linalg.fill {scores} ins(%zero : f32) outs(%e0 : tensor<64x64xf32>)
      -> tensor<64x64xf32>
  %S = linalg.matmul {scores} ins(%Q, %K : tensor<64x32xf16>, tensor<32x64xf16>)
      outs(%s0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %T = linalg.generic {indexing_maps = [#scores, #scores],
                       iterator_types = ["parallel", "parallel"]}
      ins(%S : tensor<64x64xf32>) outs(%e0 : tensor<64x64xf32>) attrs = {scale} {
  ^bb0(%score: f32, %old: f32):
    %scaled = arith.mulf %score, %factor : f32
    linalg.yield %scaled : f32
  } -> tensor<64x64xf32>
  %P = linalg.softmax dimension(1) ins(%T : tensor<64x64xf32>)
      outs(%e0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e2 = tensor.empty() : tensor<64x64xf16>
  %W = linalg.generic {indexing_maps = [#scores, #scores],
                       iterator_types = ["parallel", "parallel"]}
      ins(%P : tensor<64x64xf32>) outs(%e2 : tensor<64x64xf16>) {
  ^bb0(%weight: f32, %old: f16):
    %narrow = arith.truncf %weight : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<64x64xf16>
  %e1 = tensor.empty() : tensor<64x32xf32>
  %o0 = linalg.fill {values} ins(%zero : f32) outs(%e1 : tensor<64x32xf32>)
      -> tensor<64x32xf32>
  %O = linalg.matmul {values} ins(%W, %V : tensor<64x64xf16>, tensor<64x32xf16>)
      outs(%o0 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %e3 = tensor.empty() : tensor<64x32xf16>
  %R = linalg.generic {indexing_maps = [#scores, #scores],
                       iterator_types = ["parallel", "parallel"]}
      ins(%O : tensor<64x32xf32>) outs(%e3 : tensor<64x32xf16>) attrs = {result} {
  ^bb0(%sum: f32, %old: f16):
    %narrow = arith.truncf %sum : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<64x32xf16>
  return %R : tensor<64x32xf16>
}
