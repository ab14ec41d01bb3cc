// A convolution that is tiled to one row of the window and one of the result becomes one of one
// dimension. Where the input is not sliced, it may have more rows.
// RUN: formwork check --static %s --strict
// RUN: formwork apply %s --validate -o %t.mlir
// RUN: sed 's/tensor<1x18x18x8xf32>/tensor<1x5x18x8xf32>/g; s/tensor<3x3x8x16xf32>/tensor<1x3x8x16xf32>/g; s/tensor<1x16x16x16xf32>/tensor<1x1x16x16xf32>/g; s/\[0, 1, 0, 0, 1\]/[0, 0, 0, 4]/; s/:2 = transform/ = transform/; s/, !transform.any_op)$/)/' %s > %t.rows.mlir
// RUN: formwork check --static %t.rows.mlir 2>&1 | FileCheck %s

// CHECK: decomposes a window that may be larger than 1

module attributes {transform.with_named_sequence} {
  func.func @f(%i: tensor<1x18x18x8xf32>, %k: tensor<3x3x8x16xf32>, %o: tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32> {
    %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%i, %k : tensor<1x18x18x8xf32>, tensor<3x3x8x16xf32>) outs(%o : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
    return %0 : tensor<1x16x16x16xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %c = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %c tile_sizes [0, 1, 0, 0, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %d = transform.structured.decompose %t : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
