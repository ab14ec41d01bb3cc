#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @f(%arg0: tensor<8x4xindex>, %arg1: tensor<4x8xindex>, %arg2: tensor<8x8xindex>) {
    %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<8x4xindex>, tensor<4x8xindex>) outs(%arg2 : tensor<8x8xindex>) {
    ^bb0(%in: index, %in_0: index, %out: index):
      %1 = arith.muli %in, %in_0 : index
      %2 = arith.addi %out, %1 : index
      linalg.yield %2 : index
    } -> tensor<8x8xindex>
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.specialize %0 : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
}
}
