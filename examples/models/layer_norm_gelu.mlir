// A layer norm, a projection and the GELU of its result.
// Exported by generate.py: JAX 0.10.2, torch-mlir-opt.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> ()>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
module @jit_layer_norm_gelu attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @layer_norm_gelu(%arg0: tensor<32x96xf32>, %arg1: tensor<96xf32>, %arg2: tensor<96xf32>, %arg3: tensor<96x64xf32>) -> (tensor<32x64xf32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<5.000000e-01> : tensor<f32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_1 = arith.constant dense<0.797884583> : tensor<f32>
    %cst_2 = arith.constant dense<4.471500e-02> : tensor<f32>
    %cst_3 = arith.constant dense<9.99999974E-6> : tensor<f32>
    %cst_4 = arith.constant dense<9.600000e+01> : tensor<f32>
    %cst_5 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<32xf32>
    %1 = linalg.fill ins(%cst_5 : f32) outs(%0 : tensor<32xf32>) -> tensor<32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<32x96xf32>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.addf %out, %in : f32
      linalg.yield %42 : f32
    } -> tensor<32xf32>
    %3 = tensor.empty() : tensor<32x1xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<32xf32>) outs(%3 : tensor<32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x1xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%3 : tensor<32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %5 : tensor<32x1xf32>, tensor<32x1xf32>) outs(%3 : tensor<32x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.divf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x1xf32>
    %7 = tensor.empty() : tensor<32x96xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<32x1xf32>) outs(%7 : tensor<32x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x96xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %8 : tensor<32x96xf32>, tensor<32x96xf32>) outs(%7 : tensor<32x96xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.subf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x96xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %9 : tensor<32x96xf32>, tensor<32x96xf32>) outs(%7 : tensor<32x96xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.mulf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x96xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<32x96xf32>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.addf %out, %in : f32
      linalg.yield %42 : f32
    } -> tensor<32xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<32xf32>) outs(%3 : tensor<32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %5 : tensor<32x1xf32>, tensor<32x1xf32>) outs(%3 : tensor<32x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.divf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x1xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%3 : tensor<32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %14 : tensor<32x1xf32>, tensor<32x1xf32>) outs(%3 : tensor<32x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.addf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<32x1xf32>) outs(%3 : tensor<32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = math.rsqrt %in : f32
      linalg.yield %42 : f32
    } -> tensor<32x1xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<32x1xf32>) outs(%7 : tensor<32x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x96xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %17 : tensor<32x96xf32>, tensor<32x96xf32>) outs(%7 : tensor<32x96xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.mulf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x96xf32>
    %19 = tensor.empty() : tensor<1x96xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<96xf32>) outs(%19 : tensor<1x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x96xf32>
    %21 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<1x96xf32>) outs(%7 : tensor<32x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x96xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%18, %21 : tensor<32x96xf32>, tensor<32x96xf32>) outs(%7 : tensor<32x96xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.mulf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x96xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<96xf32>) outs(%19 : tensor<1x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x96xf32>
    %24 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<1x96xf32>) outs(%7 : tensor<32x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x96xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %24 : tensor<32x96xf32>, tensor<32x96xf32>) outs(%7 : tensor<32x96xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.addf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x96xf32>
    %26 = tensor.empty() : tensor<32x64xf32>
    %27 = linalg.fill ins(%cst_5 : f32) outs(%26 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %28 = linalg.matmul ins(%25, %arg3 : tensor<32x96xf32>, tensor<96x64xf32>) outs(%27 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %28 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%26 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.mulf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x64xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %28 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%26 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.mulf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x64xf32>
    %31 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%26 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x64xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%31, %30 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%26 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.mulf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x64xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %32 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%26 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.addf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x64xf32>
    %34 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%26 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x64xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%34, %33 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%26 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.mulf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x64xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<32x64xf32>) outs(%26 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = math.tanh %in : f32
      linalg.yield %42 : f32
    } -> tensor<32x64xf32>
    %37 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%26 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x64xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%37, %36 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%26 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.addf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x64xf32>
    %39 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%26 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x64xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%39, %38 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%26 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.mulf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x64xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %40 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%26 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %42 = arith.mulf %in, %in_6 : f32
      linalg.yield %42 : f32
    } -> tensor<32x64xf32>
    return %41 : tensor<32x64xf32>
  }
}

