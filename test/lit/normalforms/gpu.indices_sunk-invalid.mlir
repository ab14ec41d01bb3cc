// Each clause of @gpu.indices_sunk, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// gpu.indices_sunk.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  // expected-note @below {{requires payload that the rules of @gpu.indices_sunk do not change but they would fire: sink-index-computations x1}}
  func.func @f(%m: memref<64xf32>, %s: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c2 = arith.constant 2 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      memref.store %s, %m[%c2] : memref<64xf32>
      gpu.terminator
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @gpu.indices_sunk but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @gpu.indices_sunk : !transform.any_op
    transform.yield
  }
}
