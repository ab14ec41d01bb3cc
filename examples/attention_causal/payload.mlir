// As `attention`, with a causal mask: a query has no score for the keys after it.
#scores = affine_map<(q, k) -> (q, k)>
func.func @attention(%Q: tensor<4096x64xf32>, %K: tensor<64x4096xf32>,
                     %V: tensor<4096x64xf32>) -> tensor<4096x64xf32> {
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant 0.125 : f32
  %none = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<4096x4096xf32>
  %s0 = linalg.fill {scores} ins(%zero : f32) outs(%e0 : tensor<4096x4096xf32>)
      -> tensor<4096x4096xf32>
  %S = linalg.matmul {scores} ins(%Q, %K : tensor<4096x64xf32>, tensor<64x4096xf32>)
      outs(%s0 : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %T = linalg.generic {indexing_maps = [#scores, #scores],
                       iterator_types = ["parallel", "parallel"]}
      ins(%S : tensor<4096x4096xf32>) outs(%e0 : tensor<4096x4096xf32>) {
  ^bb0(%score: f32, %old: f32):
    %scaled = arith.mulf %score, %factor : f32
    %query = linalg.index 0 : index
    %key = linalg.index 1 : index
    %isBehind = arith.cmpi ugt, %key, %query : index
    %masked = arith.select %isBehind, %none, %scaled : f32
    linalg.yield %masked : f32
  } -> tensor<4096x4096xf32>
  %P = linalg.softmax dimension(1) ins(%T : tensor<4096x4096xf32>)
      outs(%e0 : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %e1 = tensor.empty() : tensor<4096x64xf32>
  %o0 = linalg.fill {values} ins(%zero : f32) outs(%e1 : tensor<4096x64xf32>)
      -> tensor<4096x64xf32>
  %O = linalg.matmul {values} ins(%P, %V : tensor<4096x4096xf32>, tensor<4096x64xf32>)
      outs(%o0 : tensor<4096x64xf32>) -> tensor<4096x64xf32>
  return %O : tensor<4096x64xf32>
}
