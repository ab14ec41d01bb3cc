// Each clause of @canonical, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// canonical.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %0 = arith.addi %a, %c1 : i32
    %1 = arith.addi %0, %c1 : i32
    // expected-note @below {{requires payload that the rules of @canonical do not change but they would fire: AddIAddConstant x2, driver.dead x2}}
    %2 = arith.addi %0, %c1 : i32
    %3 = arith.muli %1, %2 : i32
    return %3 : i32
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @canonical but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @canonical : !transform.any_op
    transform.yield
  }
}
