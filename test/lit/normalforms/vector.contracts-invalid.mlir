// Each clause of @vector.contracts, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// vector.contracts.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: vector<4x8xf32>, %b: vector<4x8xf32>, %acc: vector<4xf32>) -> vector<4xf32> {
    %0 = arith.mulf %a, %b : vector<4x8xf32>
    // expected-note @below {{requires payload that the rules of @vector.contracts do not change but they would fire: MultiReduceToContract x1}}
    %1 = vector.multi_reduction <add>, %0, %acc [1] : vector<4x8xf32> to vector<4xf32>
    return %1 : vector<4xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @vector.contracts but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @vector.contracts : !transform.any_op
    transform.yield
  }
}
