// Scaled dot-product attention of several heads.
// Exported by generate.py: JAX 0.10.2, torch-mlir-opt.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> ()>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> ()>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module @jit_attention attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @attention(%arg0: tensor<2x64x32xf32>, %arg1: tensor<2x64x32xf32>, %arg2: tensor<2x64x32xf32>) -> (tensor<2x64x32xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<5.65685415> : tensor<f32>
    %0 = tensor.empty() : tensor<2x64x64xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x64x32xf32>, tensor<2x64x32xf32>) outs(%1 : tensor<2x64x64xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %23 = arith.mulf %in, %in_3 : f32
      %24 = arith.addf %out, %23 : f32
      linalg.yield %24 : f32
    } -> tensor<2x64x64xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%0 : tensor<2x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x64x64xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x64x64xf32>, tensor<2x64x64xf32>) outs(%0 : tensor<2x64x64xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %23 = arith.divf %in, %in_3 : f32
      linalg.yield %23 : f32
    } -> tensor<2x64x64xf32>
    %5 = tensor.empty() : tensor<2x64xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<2x64xf32>) -> tensor<2x64xf32>
    %7 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<2x64x64xf32>) outs(%6 : tensor<2x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.maximumf %out, %in : f32
      linalg.yield %23 : f32
    } -> tensor<2x64xf32>
    %8 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<2x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x64xf32>
    %9 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%8, %7 : tensor<2x64xf32>, tensor<2x64xf32>) outs(%5 : tensor<2x64xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %23 = arith.maximumf %in, %in_3 : f32
      linalg.yield %23 : f32
    } -> tensor<2x64xf32>
    %10 = tensor.empty() : tensor<2x64x1xf32>
    %11 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x64xf32>) outs(%10 : tensor<2x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x64x1xf32>
    %12 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x64x1xf32>) outs(%0 : tensor<2x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x64x64xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %12 : tensor<2x64x64xf32>, tensor<2x64x64xf32>) outs(%0 : tensor<2x64x64xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %23 = arith.subf %in, %in_3 : f32
      linalg.yield %23 : f32
    } -> tensor<2x64x64xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x64x64xf32>) outs(%0 : tensor<2x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = math.exp %in : f32
      linalg.yield %23 : f32
    } -> tensor<2x64x64xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<2x64xf32>) -> tensor<2x64xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<2x64x64xf32>) outs(%15 : tensor<2x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.addf %out, %in : f32
      linalg.yield %23 : f32
    } -> tensor<2x64xf32>
    %17 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x64xf32>) outs(%10 : tensor<2x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x64x1xf32>
    %18 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x64x1xf32>) outs(%0 : tensor<2x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x64x64xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %18 : tensor<2x64x64xf32>, tensor<2x64x64xf32>) outs(%0 : tensor<2x64x64xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %23 = arith.divf %in, %in_3 : f32
      linalg.yield %23 : f32
    } -> tensor<2x64x64xf32>
    %20 = tensor.empty() : tensor<2x64x32xf32>
    %21 = linalg.fill ins(%cst_0 : f32) outs(%20 : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
    %22 = linalg.batch_matmul ins(%19, %arg2 : tensor<2x64x64xf32>, tensor<2x64x32xf32>) outs(%21 : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
    return %22 : tensor<2x64x32xf32>
  }
}

