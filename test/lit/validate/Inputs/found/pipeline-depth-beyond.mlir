#map = affine_map<(d0) -> (d0 * 4)>
module {
  func.func @f(%arg0: memref<128x64xf32>, %arg1: f32, %arg2: f32, %arg3: index, %arg4: index, %arg5: index, %arg6: index) {
    gpu.launch blocks(%arg7, %arg8, %arg9) in (%arg13 = %arg6, %arg14 = %arg6, %arg15 = %arg6) threads(%arg10, %arg11, %arg12) in (%arg16 = %arg5, %arg17 = %arg6, %arg18 = %arg6) {
      %alloc = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
      %0 = scf.for %arg19 = %arg4 to %arg3 step %arg6 iter_args(%arg20 = %arg2) -> (f32) {
        %1 = affine.apply #map(%arg10)
        %2 = vector.transfer_read %arg0[%arg19, %1], %arg2 {in_bounds = [true]} : memref<128x64xf32>, vector<4xf32>
        vector.transfer_write %2, %alloc[%1] {in_bounds = [true]} : vector<4xf32>, memref<64xf32, #gpu.address_space<workgroup>>
        scf.yield %arg1 : f32
      }
      gpu.terminator
    }
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["scf.for"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.formwork.pipeline_copies %0 depth = [4294967296] : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
}
}
