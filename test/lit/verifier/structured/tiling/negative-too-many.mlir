// More sizes than loops are refused before a tile of a negative size is made; a sequence can suppress that.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --unchecked -o /dev/null
// CHECK: unproved: 0 errors
func.func @f(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %0 = linalg.exp ins(%a : tensor<5xf32>) outs(%b : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %exp tile_sizes [-1, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @tile failures(suppress) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
