// Each clause of @loops.perfect_nest, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// perfect-loop-nest.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%n: index, %m: memref<?x?xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-note @below {{requires nothing beside the inner loop but 'scf.for' has 'memref.store' (perfect-loop-nest.c1)}}
      memref.store %i, %m[%c0, %i] : memref<?x?xindex>
      scf.for %j = %c0 to %n step %c1 {
        memref.store %i, %m[%i, %j] : memref<?x?xindex>
      }
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @loops.perfect_nest but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @loops.perfect_nest : !transform.any_op
    transform.yield
  }
}

// -----

// loops.perfect_nest.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  // expected-note @below {{requires payload that the rules of @loops.perfect_nest do not change but they would fire: licm x1}}
  func.func @f(%n: index, %m: memref<?x?xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-note @below {{requires nothing beside the inner loop but 'scf.for' has 'arith.muli' (perfect-loop-nest.c1)}}
      %0 = arith.muli %n, %n : index
      scf.for %j = %c0 to %n step %c1 {
        memref.store %0, %m[%i, %j] : memref<?x?xindex>
      }
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @loops.perfect_nest but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @loops.perfect_nest : !transform.any_op
    transform.yield
  }
}
