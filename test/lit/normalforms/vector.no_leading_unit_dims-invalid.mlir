// Each clause of @vector.no_leading_unit_dims, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// vector.no_leading_unit_dims.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: vector<1x8xf32>, %b: vector<1x8xf32>) -> vector<1x8xf32> {
    %0 = arith.addf %a, %b : vector<1x8xf32>
    // expected-note @below {{requires payload that the rules of @vector.no_leading_unit_dims do not change but they would fire: CastAwayElementwiseLeadingOneDim x2, driver.fold x2}}
    %1 = arith.mulf %0, %b : vector<1x8xf32>
    return %1 : vector<1x8xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @vector.no_leading_unit_dims but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @vector.no_leading_unit_dims : !transform.any_op
    transform.yield
  }
}
