// Each clause of @linalg.minimal_inputs, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// linalg.minimal_inputs.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: tensor<32xf32>, %b: tensor<32xf32>, %out: tensor<32xf32>) -> tensor<32xf32> {
    // expected-note @below {{requires payload that the rules of @linalg.minimal_inputs do not change but they would fire: DeduplicateAndRemoveDeadOperandsAndResults x1}}
    %0 = linalg.generic {
        indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
        iterator_types = ["parallel"]}
        ins(%a, %b : tensor<32xf32>, tensor<32xf32>) outs(%out : tensor<32xf32>) {
    ^bb0(%x: f32, %unused: f32, %y: f32):
      %1 = arith.addf %x, %y : f32
      linalg.yield %1 : f32
    } -> tensor<32xf32>
    return %0 : tensor<32xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @linalg.minimal_inputs but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @linalg.minimal_inputs : !transform.any_op
    transform.yield
  }
}
