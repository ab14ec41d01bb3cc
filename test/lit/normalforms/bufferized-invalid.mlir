// Each clause of @bufferized, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// no-tensors.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%s: f32) -> f32 {
    // expected-note @below {{requires buffers but 'tensor.splat' makes a value of type tensor<8xf32> (no-tensors.c1)}}
    %0 = tensor.splat %s : tensor<8xf32>
    %c0 = arith.constant 0 : index
    %1 = tensor.extract %0[%c0] : tensor<8xf32>
    return %1 : f32
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @bufferized but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @bufferized : !transform.any_op
    transform.yield
  }
}

// -----

// no-tensors.c2
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  // expected-note @below {{requires buffers but a block of 'func.func' has an argument of type tensor<8xf32> (no-tensors.c2)}}
  func.func @f(%a: tensor<8xf32>) {
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @bufferized but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @bufferized : !transform.any_op
    transform.yield
  }
}
