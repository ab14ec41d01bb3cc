// Upstream ends the process where an addition is folded into one of the function's arguments.
// RUN: formwork check %s 2>&1 | FileCheck %s
// CHECK: : unproved: 0 errors, 1 warning

func.func @f(%A: tensor<7x6xf32>, %B: tensor<6x8xf32>, %C: tensor<7x8xf32>, %D: tensor<7x8xf32>) -> tensor<7x8xf32> {
  %r = linalg.matmul ins(%A, %B : tensor<7x6xf32>, tensor<6x8xf32>) outs(%C : tensor<7x8xf32>) -> tensor<7x8xf32>
  %s = linalg.add ins(%r, %D : tensor<7x8xf32>, tensor<7x8xf32>) outs(%D : tensor<7x8xf32>) -> tensor<7x8xf32>
  return %s : tensor<7x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_add_into_dest
    } : !transform.any_op
    transform.yield
  }
}
