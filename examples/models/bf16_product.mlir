// A product of bf16 matrices, summed in f32.
// Exported by generate.py: JAX 0.10.2, torch-mlir-opt.
module @jit_bf16_product attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @bf16_product(%arg0: tensor<64x96xbf16>, %arg1: tensor<96x64xbf16>) -> (tensor<64x64xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<64x64xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<64x96xbf16>, tensor<96x64xbf16>) outs(%1 : tensor<64x64xf32>) -> tensor<64x64xf32>
    return %2 : tensor<64x64xf32>
  }
}

