// Two convolutions with ReLU, a pooling, and a layer that classifies.
// Exported by generate.py: JAX 0.10.2, torch-mlir-opt.
#map = affine_map<(d0, d1, d2, d3) -> ()>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module @jit_convolution_net attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @convolution_net(%arg0: tensor<2x12x12x3xf32>, %arg1: tensor<3x3x3x8xf32>, %arg2: tensor<3x3x8x16xf32>, %arg3: tensor<64x10xf32>) -> (tensor<2x10xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<2x10x10x8xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x10x10x8xf32>) -> tensor<2x10x10x8xf32>
    %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x12x12x3xf32>, tensor<3x3x3x8xf32>) outs(%1 : tensor<2x10x10x8xf32>) -> tensor<2x10x10x8xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%0 : tensor<2x10x10x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x10x10x8xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x10x10x8xf32>, tensor<2x10x10x8xf32>) outs(%0 : tensor<2x10x10x8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.maximumf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<2x10x10x8xf32>
    %5 = tensor.empty() : tensor<2x4x4x16xf32>
    %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<2x4x4x16xf32>) -> tensor<2x4x4x16xf32>
    %7 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%4, %arg2 : tensor<2x10x10x8xf32>, tensor<3x3x8x16xf32>) outs(%6 : tensor<2x4x4x16xf32>) -> tensor<2x4x4x16xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<2x4x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x4x16xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %8 : tensor<2x4x4x16xf32>, tensor<2x4x4x16xf32>) outs(%5 : tensor<2x4x4x16xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.maximumf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<2x4x4x16xf32>
    %10 = tensor.empty() : tensor<2x2xf32>
    %11 = tensor.empty() : tensor<2x2x2x16xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<2x2x2x16xf32>) -> tensor<2x2x2x16xf32>
    %13 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%9, %10 : tensor<2x4x4x16xf32>, tensor<2x2xf32>) outs(%12 : tensor<2x2x2x16xf32>) -> tensor<2x2x2x16xf32>
    %collapsed = tensor.collapse_shape %13 [[0], [1, 2, 3]] : tensor<2x2x2x16xf32> into tensor<2x64xf32>
    %14 = tensor.empty() : tensor<2x10xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%14 : tensor<2x10xf32>) -> tensor<2x10xf32>
    %16 = linalg.matmul ins(%collapsed, %arg3 : tensor<2x64xf32>, tensor<64x10xf32>) outs(%15 : tensor<2x10xf32>) -> tensor<2x10xf32>
    return %16 : tensor<2x10xf32>
  }
}

