// Each clause of @loops.static, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// static-trip-counts.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%n: index, %m: memref<?xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note @below {{requires constant bounds and steps but 'scf.for' has others (static-trip-counts.c1)}}
    scf.for %i = %c0 to %n step %c1 {
      memref.store %i, %m[%i] : memref<?xindex>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @loops.static but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @loops.static : !transform.any_op
    transform.yield
  }
}

// -----

// loops.static.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<64xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note @below {{requires payload that the rules of @loops.static do not change but they would fire: driver.fold x2}}
    %n = memref.dim %m, %c0 : memref<64xindex>
    // expected-note @below {{requires constant bounds and steps but 'scf.for' has others (static-trip-counts.c1)}}
    scf.for %i = %c0 to %n step %c1 {
      memref.store %i, %m[%i] : memref<64xindex>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @loops.static but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @loops.static : !transform.any_op
    transform.yield
  }
}
