// Each clause of @vector.slices_folded, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// vector.slices_folded.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: tensor<64x64xf32>, %i: index) -> vector<4x4xf32> {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %0 = tensor.extract_slice %a[%i, 0] [4, 64] [1, 1] : tensor<64x64xf32> to tensor<4x64xf32>
    // expected-note @below {{requires payload that the rules of @vector.slices_folded do not change but they would fire: driver.dead x2}}
    %1 = vector.transfer_read %0[%c0, %i], %pad {in_bounds = [true, true]} : tensor<4x64xf32>, vector<4x4xf32>
    return %1 : vector<4x4xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @vector.slices_folded but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @vector.slices_folded : !transform.any_op
    transform.yield
  }
}
