// MLIR asks of a transfer of a vector without dimensions whether it is in bounds of its first one.
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
module {
  func.func @f(%arg0: memref<33xi32>, %arg1: memref<i32>, %arg2: memref<i32>, %arg3: i32) {
    linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction"]} ins(%arg0, %arg1 : memref<33xi32>, memref<i32>) outs(%arg2 : memref<i32>) attrs = {t} {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %0 = arith.addi %out, %arg3 : i32
      linalg.yield %0 : i32
    }
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.vectorize_children_and_apply_patterns %0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.nvgpu.create_async_groups %1 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
}
