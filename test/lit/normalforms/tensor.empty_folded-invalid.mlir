// Each clause of @tensor.empty_folded, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// tensor.empty_folded.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%i: index) -> tensor<4x16xf32> {
    %0 = tensor.empty() : tensor<64xf32>
    // expected-note @below {{requires payload that the rules of @tensor.empty_folded do not change but they would fire: FoldEmptyTensorWithReshapeOp<mlir::tensor::ExpandShapeOp> x1}}
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 16] : tensor<64xf32> into tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @tensor.empty_folded but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @tensor.empty_folded : !transform.any_op
    transform.yield
  }
}
