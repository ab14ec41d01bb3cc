// Each clause of @tensor.bufferizable, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// tensor.bufferizable.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  // expected-note @below {{requires payload that the rules of @tensor.bufferizable do not change but they would fire: eliminate-empty-tensors x1}}
  func.func @f(%out: tensor<4x64xf32>, %n: index) -> tensor<4x64xf32> {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %out) -> tensor<4x64xf32> {
      %1 = tensor.empty() : tensor<4x16xf32>
      %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<4x16xf32>) -> tensor<4x16xf32>
      %3 = tensor.insert_slice %2 into %acc[0, 8] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<4x64xf32>
      scf.yield %3 : tensor<4x64xf32>
    }
    return %0 : tensor<4x64xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @tensor.bufferizable but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @tensor.bufferizable : !transform.any_op
    transform.yield
  }
}
