module {
  func.func @f(%arg0: vector<32x256xf16>, %arg1: vector<256x32xf16>, %arg2: vector<256x256xf32>, %arg3: index, %arg4: index, %arg5: index, %arg6: index) {
    gpu.launch blocks(%arg7, %arg8, %arg9) in (%arg13 = %arg6, %arg14 = %arg6, %arg15 = %arg6) threads(%arg10, %arg11, %arg12) in (%arg16 = %arg6, %arg17 = %arg6, %arg18 = %arg6) {
      %0 = scf.for %arg19 = %arg5 to %arg3 step %arg4 iter_args(%arg20 = %arg2) -> (vector<256x256xf32>) {
        %1 = xegpu.dpas %arg1, %arg0, %arg20 : vector<256x32xf16>, vector<32x256xf16>, vector<256x256xf32> -> vector<256x256xf32>
        scf.yield %1 : vector<256x256xf32>
      }
      gpu.terminator
    }
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["xegpu.dpas"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["scf.for"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %1 : !transform.any_op
    %writes, %buffers = transform.formwork.stage %0 operands = [2, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield 
  }
}
}
