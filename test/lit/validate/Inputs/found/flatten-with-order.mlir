#map = affine_map<(d0, d1, d2) -> (d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
module {
  func.func @f(%arg0: tensor<64xf32>, %arg1: tensor<3x64x8xf32>, %arg2: f32) {
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<64xf32>) outs(%arg1 : tensor<3x64x8xf32>) attrs =  {t} {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %arg2 : f32
    } -> tensor<3x64x8xf32>
    cf.br ^bb1
  ^bb1:  // pred: ^bb0
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @part(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match attributes {t} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.flatten_elementwise %0 : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    transform.include @part failures(suppress) (%arg0) : (!transform.any_op) -> ()
    transform.yield 
  }
}
}
