// Each clause of @tensor.no_empty, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// tensor.no_empty.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  // expected-note @below {{requires payload that the rules of @tensor.no_empty do not change but they would fire: eliminate-empty-tensors x1}}
  func.func @f(%out: tensor<64xf32>, %i: index) -> tensor<64xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<16xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<16xf32>) -> tensor<16xf32>
    %2 = tensor.insert_slice %1 into %out[%i] [16] [1] : tensor<16xf32> into tensor<64xf32>
    return %2 : tensor<64xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @tensor.no_empty but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @tensor.no_empty : !transform.any_op
    transform.yield
  }
}
