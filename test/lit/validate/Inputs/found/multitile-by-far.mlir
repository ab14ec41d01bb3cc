// formwork check --static multitile-by-far.mlir   (refuted: fw-no-multitile-sizes); stock MLIR runs
// features: size:zero
#map = affine_map<(d0) -> (d0)>
module @scope {
  func.func @f(%arg0: memref<0xi16>, %arg1: memref<0xi16, strided<[1], offset: 5>>, %arg2: memref<0xi16>) {
    linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : memref<0xi16>, memref<0xi16, strided<[1], offset: 5>>) outs(%arg2 : memref<0xi16>) attrs =  {t} {
    ^bb0(%in: i16, %in_0: i16, %out: i16):
      linalg.yield %out : i16
    }
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match attributes {t} in %arg0 : (!transform.any_op) -> !transform.any_op
    %low_size, %high_size, %split_point = transform.structured.multitile_sizes %0 {dimension = 0 : i64, divisor = 9223372036854775807 : i64, target_size = 3 : i64} : (!transform.any_op) -> !transform.param<i64>
    transform.yield 
  }
}
}
