// Each clause of @gpu.minimal_barriers, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// gpu.minimal_barriers.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<64xf32>, %i: index, %s: f32) {
    memref.store %s, %m[%i] : memref<64xf32>
    gpu.barrier
    // expected-note @below {{requires payload that the rules of @gpu.minimal_barriers do not change but they would fire: BarrierElimination x1}}
    gpu.barrier
    %0 = memref.load %m[%i] : memref<64xf32>
    memref.store %0, %m[%i] : memref<64xf32>
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @gpu.minimal_barriers but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @gpu.minimal_barriers : !transform.any_op
    transform.yield
  }
}
