// Each clause of @tensor.slices_merged, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// tensor.slices_merged.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: tensor<64x64xf32>, %i: index) -> tensor<4x4xf32> {
    %0 = tensor.extract_slice %a[%i, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
    // expected-note @below {{requires payload that the rules of @tensor.slices_merged do not change but they would fire: MergeConsecutiveExtractSlice x1}}
    %1 = tensor.extract_slice %0[4, 8] [4, 4] [1, 1] : tensor<16x64xf32> to tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @tensor.slices_merged but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @tensor.slices_merged : !transform.any_op
    transform.yield
  }
}
