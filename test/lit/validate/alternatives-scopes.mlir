// Alternatives recover from these failures, and leave this where their scope stood.
// RUN: not formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-2: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

// A match in two ops fails for good, so that the second alternative is not tried.
func.func @one() {
  return
}
func.func @other() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %funcs = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %funcs : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      %x = transform.structured.match ops{["func.return"]} in %scope : (!transform.any_op) -> !transform.any_op
      transform.annotate %x "seen" : !transform.any_op
    }, {
    ^bb0(%scope: !transform.any_op):
    }
    transform.yield
  }
}

// -----

// The op that holds it is doubted, and so is what it holds.
func.func @vectorized(%a: tensor<4x6xf32>, %b: tensor<6x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<4x6xf32>, tensor<6x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %p : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %vectorized = transform.structured.vectorize_children_and_apply_patterns %func : (!transform.any_op) -> !transform.any_op
    %add = transform.structured.match ops{["arith.addf"]} in %vectorized : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
