// Each clause of @tensor.reshapes_folded, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// tensor.reshapes_folded.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: tensor<32xf32>, %out: tensor<1x1x64xf32>, %i: index) -> tensor<1x1x64xf32> {
    %0 = tensor.expand_shape %a [[0, 1]] output_shape [1, 32] : tensor<32xf32> into tensor<1x32xf32>
    // expected-note @below {{requires payload that the rules of @tensor.reshapes_folded do not change but they would fire: FoldPaddingExpandIntoInsert<mlir::tensor::InsertSliceOp> x1}}
    %1 = tensor.insert_slice %0 into %out[0, 0, %i] [1, 1, 32] [1, 1, 1] : tensor<1x32xf32> into tensor<1x1x64xf32>
    return %1 : tensor<1x1x64xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @tensor.reshapes_folded but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @tensor.reshapes_folded : !transform.any_op
    transform.yield
  }
}
