// Values of type index have no width; for the least of them upstream looks without end.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: sed 's/index/i32/g' %s > %t.mlir
// RUN: formwork check %t.mlir --strict
// RUN: formwork apply %t.mlir --validate -o %t.out.mlir

// CHECK: cannot prove that 'transform.structured.tile_reduction_using_for' succeeds: tiles an op that may not be a reduction that can be computed in parts

func.func @f(%a: tensor<12xindex>, %b: tensor<index>) -> tensor<index> {
  %0 = linalg.reduce { arith.maxsi } ins(%a : tensor<12xindex>) outs(%b : tensor<index>) dimensions = [0]
  return %0 : tensor<index>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %r = transform.structured.match ops{["linalg.reduce"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill, %split, %merge, %loop = transform.structured.tile_reduction_using_for %r by tile_sizes = [5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
