// Each clause of @loops.invariants_hoisted, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// loops.invariants_hoisted.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  // expected-note @below {{requires payload that the rules of @loops.invariants_hoisted do not change but they would fire: licm x1}}
  func.func @f(%n: index, %m: memref<?xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %0 = arith.muli %n, %n : index
        memref.store %0, %m[%j] : memref<?xindex>
      }
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @loops.invariants_hoisted but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @loops.invariants_hoisted : !transform.any_op
    transform.yield
  }
}
