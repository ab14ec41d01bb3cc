// Each clause of @driver, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// driver.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %dead = arith.muli %a, %a : i32
    %c2 = arith.constant 2 : i32
    // expected-note @below {{requires payload that the rules of @driver do not change but they would fire: driver.dead x3, driver.fold x2}}
    %sum = arith.addi %c1, %c2 : i32
    %0 = arith.addi %a, %sum : i32
    return %0 : i32
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @driver but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @driver : !transform.any_op
    transform.yield
  }
}
