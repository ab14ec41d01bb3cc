// An op that reads a value whose place another one takes keeps its attributes, though it is not
// known any more which op it is.
// RUN: formwork apply %s --validate -o - | FileCheck %s
// RUN: formwork check %s 2>&1 | FileCheck %s --check-prefix=CHECK-SAYS

// CHECK: linalg.mul {{.*}}was_there
// CHECK-SAYS-NOT: fw-empty-match

func.func @f(%a: tensor<12x8xf32>, %b: tensor<8x4xf32>, %c: tensor<12x4xf32>) -> tensor<12x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<12x8xf32>, tensor<8x4xf32>) outs(%c : tensor<12x4xf32>) -> tensor<12x4xf32>
  %1 = linalg.mul {reader} ins(%0, %c : tensor<12x4xf32>, tensor<12x4xf32>) outs(%c : tensor<12x4xf32>) -> tensor<12x4xf32>
  return %1 : tensor<12x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %m tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %result = transform.get_result %loop[0] : (!transform.any_op) -> !transform.any_value
    %promoted = transform.structured.promote_tensor to 1 %result : !transform.any_value
    %reader = transform.structured.match attributes {reader} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %reader "was_there" : !transform.any_op
    transform.yield
  }
}
