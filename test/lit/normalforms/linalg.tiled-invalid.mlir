// Each clause of @linalg.tiled, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// linalg.tiled.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: tensor<80x32xf32>, %i: index) -> tensor<?x?xf32> {
    %zero = arith.constant 0.0 : f32
    %size = affine.min affine_map<(d0) -> (16, 80)>(%i)
    %slice = tensor.extract_slice %a[%i, 0] [%size, 32] [1, 1] : tensor<80x32xf32> to tensor<?x32xf32>
    %cast = tensor.cast %slice : tensor<?x32xf32> to tensor<?x?xf32>
    // expected-note @below {{requires payload that the rules of @linalg.tiled do not change but they would fire: driver.dead x4, FoldTensorCastProducerOp x2}}
    %0 = linalg.fill ins(%zero : f32) outs(%cast : tensor<?x?xf32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @linalg.tiled but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @linalg.tiled : !transform.any_op
    transform.yield
  }
}
