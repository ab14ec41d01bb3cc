// Flattening clones an op with its attributes, which then are those of more
// dimensions: the result is not valid.
// RUN: not formwork check %s 2>&1 | FileCheck %s
// CHECK: error: fails here: size of permutation [fw-step-fails]

func.func @f(%a: tensor<8x8xf64>, %b: tensor<8x8xf64>) -> tensor<8x8xf64> {
  %t = linalg.transpose ins(%a : tensor<8x8xf64>) outs(%b : tensor<8x8xf64>) permutation = [0, 1]
  return %t : tensor<8x8xf64>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %all = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %flat = transform.structured.flatten_elementwise %all : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
