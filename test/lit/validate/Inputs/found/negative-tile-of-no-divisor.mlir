module {
  func.func @f(%arg0: tensor<12x413x34x5xf8E5M2, "packed">, %arg1: tensor<33x32x16x5xf8E5M2>, %arg2: tensor<12x128x7x33xf8E5M2, "packed">) {
    %0 = linalg.conv_2d_nhwc_fhwc {t} ins(%arg0, %arg1 : tensor<12x413x34x5xf8E5M2, "packed">, tensor<33x32x16x5xf8E5M2>) outs(%arg2 : tensor<12x128x7x33xf8E5M2, "packed">) -> tensor<12x128x7x33xf8E5M2, "packed">
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match attributes {t} in %arg0 : (!transform.any_op) -> !transform.any_op
    %transformed, %loops:4 = transform.structured.fuse %0 tile_sizes [-7, 32, 2, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield 
  }
}
}
