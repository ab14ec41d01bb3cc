// Each clause of @memref.dims_resolved, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// memref.dims_resolved.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: tensor<?x8xf32>, %out: tensor<?x8xf32>, %s: f32) -> index {
    %c0 = arith.constant 0 : index
    %0 = linalg.fill ins(%s : f32) outs(%out : tensor<?x8xf32>) -> tensor<?x8xf32>
    %1 = tensor.pad %0 low[1, 0] high[2, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %s : f32
    } : tensor<?x8xf32> to tensor<?x8xf32>
    // expected-note @below {{requires payload that the rules of @memref.dims_resolved do not change but they would fire: driver.dead x5, DimOfReifyRankedShapedTypeOpInterface<mlir::tensor::DimOp> x1}}
    %2 = tensor.dim %1, %c0 : tensor<?x8xf32>
    return %2 : index
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @memref.dims_resolved but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @memref.dims_resolved : !transform.any_op
    transform.yield
  }
}
