// Each clause of @linalg.on_tensors, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// structured-on-tensors.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<64xf32>, %s: f32) {
    // expected-note @below {{requires structured ops on tensors but 'linalg.fill' works on buffers (structured-on-tensors.c1)}}
    linalg.fill ins(%s : f32) outs(%m : memref<64xf32>)
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @linalg.on_tensors but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @linalg.on_tensors : !transform.any_op
    transform.yield
  }
}
