// Each clause of @linalg.no_unit_dims, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// linalg.no_unit_dims.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: tensor<1x32xf32>, %out: tensor<1x32xf32>) -> tensor<1x32xf32> {
    // expected-note @below {{requires payload that the rules of @linalg.no_unit_dims do not change but they would fire: DropUnitDims x1}}
    %0 = linalg.generic {
        indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<1x32xf32>) outs(%out : tensor<1x32xf32>) {
    ^bb0(%x: f32, %y: f32):
      %1 = arith.addf %x, %y : f32
      linalg.yield %1 : f32
    } -> tensor<1x32xf32>
    return %0 : tensor<1x32xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @linalg.no_unit_dims but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @linalg.no_unit_dims : !transform.any_op
    transform.yield
  }
}
