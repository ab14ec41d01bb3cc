// RUN: formwork solve %s --split-input-file --verify-diagnostics

// A convolution whose window has height 1 becomes one-dimensional, and keeps its
// other loops: 3 channels at a time do not divide 16.
func.func @f(%image: tensor<2x18x34x16xf32>, %filter: tensor<3x3x16x32xf32>,
             %init: tensor<2x16x32x32xf32>) -> tensor<2x16x32x32xf32> {
  %result = linalg.conv_2d_nhwc_hwcf
      ins(%image, %filter : tensor<2x18x34x16xf32>, tensor<3x3x16x32xf32>)
      outs(%init : tensor<2x16x32x32xf32>) -> tensor<2x16x32x32xf32>
  return %result : tensor<2x16x32x32xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+3 {{requires parameters that meet every constraint but no value of channels does [fw-param-infeasible]}}
    // expected-note@+2 {{channels can be {3, 5}}}
    // expected-note@+1 {{fix-it: let channels be 4, too}}
    %channels = transform.tune.knob<"channels"> options = [3, 5] -> !transform.param<i64>
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{requires that the tile size channels divides 16, the size of dimension 6, because 'transform.structured.vectorize' requires static shapes (tile.divides)}}
    %tile, %loops:7 = transform.structured.tile_using_for %conv tile_sizes [1, 1, 4, 4, 1, 1, %channels]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op,
            !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %row = transform.structured.decompose %tile : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %row : !transform.any_op
    transform.yield
  }
}

// -----

// The same, of the width, where the height of the window stays 3.
func.func @f(%image: tensor<2x16x18x34xf32>, %filter: tensor<32x16x3x3xf32>,
             %init: tensor<2x32x16x32xf32>) -> tensor<2x32x16x32xf32> {
  %result = linalg.conv_2d_nchw_fchw
      ins(%image, %filter : tensor<2x16x18x34xf32>, tensor<32x16x3x3xf32>)
      outs(%init : tensor<2x32x16x32xf32>) -> tensor<2x32x16x32xf32>
  return %result : tensor<2x32x16x32xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+3 {{[fw-param-infeasible]}}
    // expected-note@+2 {{filters can be {3}}}
    // expected-note@+1 {{fix-it: let filters be 4, too}}
    %filters = transform.tune.knob<"filters"> options = [3] -> !transform.param<i64>
    %conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{requires that the tile size filters divides 32, the size of dimension 1}}
    %tile, %loops:5 = transform.structured.tile_using_for %conv tile_sizes [1, %filters, 4, 1, 0, 0, 1]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op,
            !transform.any_op, !transform.any_op)
    %row = transform.structured.decompose %tile : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %row : !transform.any_op
    transform.yield
  }
}
