// Where a parent is asked for in vain and the schedule goes on, there is none, whatever
// kind it should have.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o %t.mlir
// RUN: sed 's/{op_name = "scf.for"}/{op_name = "scf.if"}/' %s > %t.kind.mlir
// RUN: formwork check %t.kind.mlir 2>&1 | FileCheck %s --check-prefix=KIND

// CHECK: [fw-hidden-failure]
// CHECK: : proved: 0 errors
// KIND: : proved: 0 errors

func.func @f(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = linalg.exp ins(%a : tensor<16x16xf32>) outs(%b : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%e: !transform.any_op):
      %loop = transform.get_parent_op %e {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
      transform.apply_licm to %loop : !transform.any_op
    }
    %t, %l = transform.structured.tile_using_for %m tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
