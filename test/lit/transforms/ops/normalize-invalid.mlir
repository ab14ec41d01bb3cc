// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// fw-unknown-form
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{requires a declared form but has @linalg.tile [fw-unknown-form]}}
    // expected-note @below {{fix-it: did you mean @linalg.tiled?}}
    transform.normalform.normalize %root to @linalg.tile : !transform.any_op
    transform.yield
  }
}

// -----

// fw-unknown-form, in an assertion, with nothing near
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{requires a declared form but has @xyzzy [fw-unknown-form]}}
    transform.normalform.assert %root is @xyzzy : !transform.any_op
    transform.yield
  }
}

// -----

// fw-not-an-anchor
module attributes {transform.with_named_sequence} {
  func.func @f(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note @below {{payload op}}
    scf.for %i = %c0 to %n step %c1 {
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{form @canonical requires an anchor of kind 'isolated' but has 'scf.for' [fw-not-an-anchor]}}
    transform.normalform.normalize %loop to @canonical : !transform.any_op
    transform.yield
  }
}

// -----

// A wrong anchor is found before anything is changed, so it can be suppressed.
module attributes {transform.with_named_sequence} {
  func.func @f(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.sequence %root : !transform.any_op failures(suppress) {
    ^bb0(%arg: !transform.any_op):
      %loop = transform.structured.match ops{["scf.for"]} in %arg : (!transform.any_op) -> !transform.any_op
      transform.normalform.normalize %loop to @canonical : !transform.any_op
    }
    transform.yield
  }
}

// -----

// fw-form-not-reached: the rules end, the predicate does not hold.
module attributes {transform.with_named_sequence} {
  func.func @f(%out: tensor<?xf32>, %s: f32) -> tensor<?xf32> {
    // expected-note @below {{requires operands of static shape but 'linalg.fill' has one of type tensor<?xf32> (static-shapes.c1)}}
    %0 = linalg.fill ins(%s : f32) outs(%out : tensor<?xf32>) -> tensor<?xf32>
    // expected-note @below {{requires operands of static shape but 'linalg.fill' has one of type tensor<?xf32> (static-shapes.c1)}}
    %1 = linalg.fill ins(%s : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
    return %1 : tensor<?xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{normalization does not reach @linalg.static [fw-form-not-reached]}}
    transform.normalform.normalize %f to @linalg.static : !transform.any_op
    transform.yield
  }
}
