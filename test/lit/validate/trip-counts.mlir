// A trip count that is no number yet may become one: clean-up folds the bound.
// RUN: formwork apply --validate %s 2>&1 | FileCheck %s
// CHECK: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

func.func @folded(%a: tensor<5x2xf32>, %m: memref<5x2xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c1 : tensor<5x2xf32>
  scf.for %i = %c0 to %d step %c1 {
    memref.store %x, %m[%i, %i] : memref<5x2xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.apply_patterns to %root {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
