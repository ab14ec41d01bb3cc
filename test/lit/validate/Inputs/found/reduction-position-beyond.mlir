#map = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
module {
  func.func @f(%arg0: tensor<4x4x8xf32>, %arg1: tensor<8x4x4xf32>, %arg2: f32) {
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<4x4x8xf32>) outs(%arg1 : tensor<8x4x4xf32>) attrs =  {t} {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %arg2 : f32
    } -> tensor<8x4x4xf32>
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @part3(%arg0: !transform.any_op {transform.readonly}) -> !transform.param<i64> {
    %0 = transform.match.structured %arg0 : (!transform.any_op) -> !transform.param<i64> {
    ^bb0(%arg1: !transform.any_op):
      transform.match.structured.body %arg1 {reduction_position = 1 : i64} : !transform.any_op
      %1 = transform.match.structured.num_inputs %arg1 : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.yield %1 : !transform.param<i64>
    }
    transform.yield %0 : !transform.param<i64>
  }
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.collect_matching @part3 in %arg0 : (!transform.any_op) -> !transform.param<i64>
    transform.yield 
  }
}
}
