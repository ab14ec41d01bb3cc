// Each clause of @loops.canonical, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// loops.canonical.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<64xindex>) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c16 {
      // expected-note @below {{requires payload that the rules of @loops.canonical do not change but they would fire: driver.fold x4}}
      %0 = affine.min affine_map<(d0) -> (16, -d0 + 64)>(%i)
      memref.store %0, %m[%i] : memref<64xindex>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @loops.canonical but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @loops.canonical : !transform.any_op
    transform.yield
  }
}
