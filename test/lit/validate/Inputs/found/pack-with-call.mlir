#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
module {
  func.func private @outside()
  func.func @f(%arg0: tensor<12xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: f32) {
    %0:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction"]} ins(%arg0 : tensor<12xf32>) outs(%arg1, %arg2 : tensor<f32>, tensor<f32>) attrs =  {t} {
    ^bb0(%in: f32, %out: f32, %out_0: f32):
      func.call @outside() : () -> ()
      linalg.yield %arg3, %out_0 : f32, f32
    } -> (tensor<f32>, tensor<f32>)
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match attributes {t} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.pack %0 packed_sizes = [5] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield 
  }
}
}
