// Each clause of @gpu.outlined, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// no-launch.c1
module attributes {gpu.container_module, transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<64xf32>, %s: f32) {
    %c1 = arith.constant 1 : index
    // expected-note @below {{requires outlined kernels but has 'gpu.launch' (no-launch.c1)}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %s, %m[%tx] : memref<64xf32>
      gpu.terminator
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @gpu.outlined but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @gpu.outlined : !transform.any_op
    transform.yield
  }
}
