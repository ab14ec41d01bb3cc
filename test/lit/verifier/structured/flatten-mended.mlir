// What flattening leaves of a transposition is not valid. A later step may erase it before MLIR looks.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/mended.mlir 2>&1 | FileCheck %s --check-prefix=MENDED
// RUN: formwork apply %t/payload.mlir --transform=%t/mended.mlir -o /dev/null
// RUN: not formwork check %t/payload.mlir --transform=%t/left.mlir 2>&1 | FileCheck %s --check-prefix=LEFT

// MENDED: : unproved: 0 errors
// LEFT: error: fails here: expected operand #0 rank [fw-step-fails]

//--- payload.mlir
func.func @f(%a: tensor<1x1x1x1x1xf32>, %b: tensor<1x1x1x1x1xf32>, %i: index) {
  %0 = scf.for %k = %i to %i step %i iter_args(%c = %b) -> (tensor<1x1x1x1x1xf32>) {
    %1 = linalg.transpose ins(%a : tensor<1x1x1x1x1xf32>) outs(%b : tensor<1x1x1x1x1xf32>) permutation = [0, 3, 1, 2, 4]
    scf.yield %1 : tensor<1x1x1x1x1xf32>
  }
  return
}

//--- mended.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %transpose = transform.structured.match ops{["linalg.transpose"]} in %m : (!transform.any_op) -> !transform.any_op
    %flat = transform.structured.flatten_elementwise %transpose : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %m {
    } : !transform.any_op
    transform.yield
  }
}

//--- left.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %transpose = transform.structured.match ops{["linalg.transpose"]} in %m : (!transform.any_op) -> !transform.any_op
    %flat = transform.structured.flatten_elementwise %transpose : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
