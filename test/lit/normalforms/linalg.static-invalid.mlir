// Each clause of @linalg.static, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// static-shapes.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%out: tensor<?xf32>, %s: f32) -> tensor<?xf32> {
    // expected-note @below {{requires operands of static shape but 'linalg.fill' has one of type tensor<?xf32> (static-shapes.c1)}}
    %0 = linalg.fill ins(%s : f32) outs(%out : tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @linalg.static but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @linalg.static : !transform.any_op
    transform.yield
  }
}

// -----

// linalg.static.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: tensor<80x32xf32>, %i: index) -> tensor<?x32xf32> {
    %zero = arith.constant 0.0 : f32
    // expected-note @below {{requires payload that the rules of @linalg.static do not change but they would fire: driver.fold x2}}
    %size = affine.min affine_map<(d0) -> (16, 80)>(%i)
    %slice = tensor.extract_slice %a[%i, 0] [%size, 32] [1, 1] : tensor<80x32xf32> to tensor<?x32xf32>
    // expected-note @below {{requires operands of static shape but 'linalg.fill' has one of type tensor<?x32xf32> (static-shapes.c1)}}
    %0 = linalg.fill ins(%zero : f32) outs(%slice : tensor<?x32xf32>) -> tensor<?x32xf32>
    return %0 : tensor<?x32xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @linalg.static but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @linalg.static : !transform.any_op
    transform.yield
  }
}
