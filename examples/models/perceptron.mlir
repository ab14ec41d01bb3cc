// Two layers with a ReLU between them, then a softmax.
// Exported by generate.py: JAX 0.10.2, torch-mlir-opt.
#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> ()>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0) -> ()>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0, d1) -> (d0, 0)>
module @jit_perceptron attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @perceptron(%arg0: tensor<32x96xf32>, %arg1: tensor<96x128xf32>, %arg2: tensor<128xf32>, %arg3: tensor<128x40xf32>, %arg4: tensor<40xf32>) -> (tensor<32x40xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %0 = tensor.empty() : tensor<32x128xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<32x96xf32>, tensor<96x128xf32>) outs(%1 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %3 = tensor.empty() : tensor<1x128xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<128xf32>) outs(%3 : tensor<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x128xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<1x128xf32>) outs(%0 : tensor<32x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x128xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2, %5 : tensor<32x128xf32>, tensor<32x128xf32>) outs(%0 : tensor<32x128xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %31 = arith.addf %in, %in_3 : f32
      linalg.yield %31 : f32
    } -> tensor<32x128xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%0 : tensor<32x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x128xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %7 : tensor<32x128xf32>, tensor<32x128xf32>) outs(%0 : tensor<32x128xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %31 = arith.maximumf %in, %in_3 : f32
      linalg.yield %31 : f32
    } -> tensor<32x128xf32>
    %9 = tensor.empty() : tensor<32x40xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<32x40xf32>) -> tensor<32x40xf32>
    %11 = linalg.matmul ins(%8, %arg3 : tensor<32x128xf32>, tensor<128x40xf32>) outs(%10 : tensor<32x40xf32>) -> tensor<32x40xf32>
    %12 = tensor.empty() : tensor<1x40xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<40xf32>) outs(%12 : tensor<1x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x40xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<1x40xf32>) outs(%9 : tensor<32x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x40xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %14 : tensor<32x40xf32>, tensor<32x40xf32>) outs(%9 : tensor<32x40xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %31 = arith.addf %in, %in_3 : f32
      linalg.yield %31 : f32
    } -> tensor<32x40xf32>
    %16 = tensor.empty() : tensor<32xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<32xf32>) -> tensor<32xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%15 : tensor<32x40xf32>) outs(%17 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.maximumf %out, %in : f32
      linalg.yield %31 : f32
    } -> tensor<32xf32>
    %19 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel"]} ins(%cst_2 : tensor<f32>) outs(%16 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32xf32>
    %20 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%19, %18 : tensor<32xf32>, tensor<32xf32>) outs(%16 : tensor<32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %31 = arith.maximumf %in, %in_3 : f32
      linalg.yield %31 : f32
    } -> tensor<32xf32>
    %21 = tensor.empty() : tensor<32x1xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<32xf32>) outs(%21 : tensor<32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x1xf32>
    %23 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<32x1xf32>) outs(%9 : tensor<32x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x40xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%15, %23 : tensor<32x40xf32>, tensor<32x40xf32>) outs(%9 : tensor<32x40xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %31 = arith.subf %in, %in_3 : f32
      linalg.yield %31 : f32
    } -> tensor<32x40xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<32x40xf32>) outs(%9 : tensor<32x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = math.exp %in : f32
      linalg.yield %31 : f32
    } -> tensor<32x40xf32>
    %26 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<32xf32>) -> tensor<32xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%25 : tensor<32x40xf32>) outs(%26 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.addf %out, %in : f32
      linalg.yield %31 : f32
    } -> tensor<32xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<32xf32>) outs(%21 : tensor<32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x1xf32>
    %29 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<32x1xf32>) outs(%9 : tensor<32x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x40xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%25, %29 : tensor<32x40xf32>, tensor<32x40xf32>) outs(%9 : tensor<32x40xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %31 = arith.divf %in, %in_3 : f32
      linalg.yield %31 : f32
    } -> tensor<32x40xf32>
    return %30 : tensor<32x40xf32>
  }
}

