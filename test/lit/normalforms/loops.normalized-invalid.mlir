// Each clause of @loops.normalized, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// normalized-loops.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%n: index, %m: memref<?xindex>) {
    %c1 = arith.constant 1 : index
    // expected-note @below {{requires lower bounds of 0 but 'scf.for' has another (normalized-loops.c1)}}
    scf.for %i = %c1 to %n step %c1 {
      memref.store %i, %m[%i] : memref<?xindex>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @loops.normalized but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @loops.normalized : !transform.any_op
    transform.yield
  }
}

// -----

// normalized-loops.c2
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%n: index, %m: memref<?xindex>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    // expected-note @below {{requires steps of 1 but 'scf.for' has another (normalized-loops.c2)}}
    scf.for %i = %c0 to %n step %c4 {
      memref.store %i, %m[%i] : memref<?xindex>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @loops.normalized but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @loops.normalized : !transform.any_op
    transform.yield
  }
}
