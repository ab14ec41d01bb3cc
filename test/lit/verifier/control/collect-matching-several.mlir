// A matcher is given one op after the other: what yields its argument yields one op, also where
// it is not known how many match.
// RUN: formwork check %s --static 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o %t

// CHECK: : proved: 0 errors
func.func @f(%a: tensor<?x16xf32>, %b: tensor<16x16xf32>, %c: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x16xf32>, tensor<16x16xf32>) outs(%c : tensor<?x16xf32>) -> tensor<?x16xf32>
  %1 = linalg.add ins(%0, %c : tensor<?x16xf32>, tensor<?x16xf32>) outs(%c : tensor<?x16xf32>) -> tensor<?x16xf32>
  %2 = linalg.mul ins(%0, %c : tensor<?x16xf32>, tensor<?x16xf32>) outs(%1 : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %2 : tensor<?x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_matmul(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %x ["linalg.matmul"] : !transform.any_op
    transform.yield %x : !transform.any_op
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %sum = transform.structured.match ops{["linalg.mul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.fuse %sum tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %found = transform.collect_matching @is_matmul in %m : (!transform.any_op) -> !transform.any_op
    transform.annotate %found "test.found" : !transform.any_op
    transform.yield
  }
}
