#map = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
module {
  func.func @f(%arg0: memref<12x0x2x12xi64>, %arg1: memref<12xi64>, %arg2: memref<12x2x12x0xi64>) {
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg1 : memref<12x0x2x12xi64>, memref<12xi64>) outs(%arg2 : memref<12x2x12x0xi64>) attrs =  {t} {
    ^bb0(%in: i64, %in_0: i64, %out: i64):
      %0 = arith.muli %in, %in_0 : i64
      %1 = arith.addi %out, %0 : i64
      linalg.yield %1 : i64
    }
    return
  }
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
%h0 = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
transform.normalform.normalize %h0 to @canonical : !transform.any_op
%h4 = transform.structured.match attributes {t} in %module : (!transform.any_op) -> !transform.any_op
%h2, %h3:3 = transform.structured.tile_using_for %h4 tile_sizes [5, 1, 2]  : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
transform.nvgpu.rewrite_matmul_as_mma_sync %h2 : (!transform.any_op) -> ()
transform.yield
}
}
}
