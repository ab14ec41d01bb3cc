module {
  func.func @f(%arg0: memref<1x96x34x4xf32>, %arg1: memref<33x2x4xf32>, %arg2: memref<1x32x32x4xf32>, %arg3: f32, %arg4: f32) {
    linalg.depthwise_conv_2d_nhwc_hwc {t} ins(%arg0, %arg1 : memref<1x96x34x4xf32>, memref<33x2x4xf32>) outs(%arg2 : memref<1x32x32x4xf32>)
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @part7(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match attributes {t} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.match.structured failures(suppress) %0 : (!transform.any_op) -> !transform.param<i64> {
    ^bb0(%arg1: !transform.any_op):
      transform.match.structured.dim %arg1[0] {reduction} : !transform.any_op
      %2 = transform.match.structured.dim %arg1[0] : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.yield %2 : !transform.param<i64>
    }
    transform.yield 
  }
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    transform.include @part7 failures(propagate) (%arg0) : (!transform.any_op) -> ()
    transform.yield 
  }
}
}
