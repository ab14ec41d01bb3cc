#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module {
  func.func @f(%arg0: tensor<8x4xf64>, %arg1: tensor<f64>, %arg2: tensor<8x4xf64>, %arg3: f64, %arg4: index, %arg5: index, %arg6: index) {
    %0 = scf.for %arg7 = %arg6 to %arg5 step %arg4 iter_args(%arg8 = %arg2) -> (tensor<8x4xf64>) {
      %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["reduction", "parallel"]} ins(%arg0, %arg1 : tensor<8x4xf64>, tensor<f64>) outs(%arg2 : tensor<8x4xf64>) attrs =  {t} {
      ^bb0(%in: f64, %in_0: f64, %out: f64):
        %2 = arith.addf %out, %arg3 : f64
        linalg.yield %2 : f64
      } -> tensor<8x4xf64>
      scf.yield %1 : tensor<8x4xf64>
    }
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match attributes {t} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.generalize %0 : (!transform.any_op) -> !transform.any_op
    %fill_op, %split_op, %combining_op, %for_op = transform.structured.tile_reduction_using_for %1 by tile_sizes = [2, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield 
  }
}
}
