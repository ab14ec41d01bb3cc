#map = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3, d1 * 2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3, d1, d2, d0)>
module {
  func.func @f(%arg0: memref<64x8x33x?xi16>, %arg1: memref<33x4x64x8xi16>, %arg2: i16, %arg3: index, %arg4: index, %arg5: index) {
    scf.for %arg6 = %arg5 to %arg4 step %arg3 {
      linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : memref<64x8x33x?xi16>) outs(%arg1 : memref<33x4x64x8xi16>) attrs =  {t} {
      ^bb0(%in: i16, %out: i16):
        linalg.yield %arg2 : i16
      }
    }
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match attributes {t} in %arg0 : (!transform.any_op) -> !transform.any_op
    %low_size, %high_size, %split_point = transform.structured.multitile_sizes %0 {dimension = 1 : i64, target_size = 1 : i64} : (!transform.any_op) -> !transform.param<i64>
    transform.yield 
  }
}
}
