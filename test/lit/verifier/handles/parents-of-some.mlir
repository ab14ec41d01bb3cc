// An op in a function, wherever, has an op around it that is isolated; which one is known where
// there is only one. One that is empty where there is none does not fail.
// RUN: formwork check %s --strict
// RUN: formwork apply %s --validate -o %t.out

func.func @f(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%b : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %slices = transform.structured.match ops{["tensor.extract_slice"]} in %f : (!transform.any_op) -> !transform.any_op
    %around = transform.get_parent_op %slices {isolated_from_above, deduplicate} : (!transform.any_op) -> !transform.any_op
    %next = transform.get_parent_op %slices {deduplicate} : (!transform.any_op) -> !transform.any_op
    %none = transform.get_parent_op %slices {op_name = "scf.parallel", allow_empty_results} : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %around : !transform.any_op
    transform.yield
  }
}
