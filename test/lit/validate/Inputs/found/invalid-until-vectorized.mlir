module {
  func.func @f(%arg0: tensor<3x35x16x4x4xf16>, %arg1: tensor<33x1x4xf16>, %arg2: tensor<3x3x16x1x4xf16>) -> tensor<3x3x16x1x4xf16> {
    %0 = linalg.pooling_ndhwc_sum {t} ins(%arg0, %arg1 : tensor<3x35x16x4x4xf16>, tensor<33x1x4xf16>) outs(%arg2 : tensor<3x3x16x1x4xf16>) -> tensor<3x3x16x1x4xf16>
    %1 = linalg.negf {c} ins(%0 : tensor<3x3x16x1x4xf16>) outs(%arg2 : tensor<3x3x16x1x4xf16>) -> tensor<3x3x16x1x4xf16>
    return %1 : tensor<3x3x16x1x4xf16>
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match attributes {t} in %arg0 : (!transform.any_op) -> !transform.any_op
    %padded, %pad = transform.structured.pad_tiling_interface %0 to padding_sizes [5, 8, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %1 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.structured.vectorize_children_and_apply_patterns %1 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
}
