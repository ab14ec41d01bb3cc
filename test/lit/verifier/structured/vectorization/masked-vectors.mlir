// Vectors of given sizes cover what is not static with masks; what they do not cover,
// or has no form on vectors, is refused.
// RUN: formwork check %s --strict
// RUN: formwork apply %s --validate -o - | FileCheck %s
// RUN: sed 's/\[8, 16, 4\]/[8, 16, 2]/' %s > %t.mlir
// RUN: not formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: sed 's/\[8, 16, 4\]/[8, 16]/' %s > %t.mlir
// RUN: not formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: sed 's/\[3, \[4\]\]/[[3], 4]/' %s > %t.mlir
// RUN: not formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=SCALABLE
// RUN: not formwork apply %t.mlir --unchecked -o - 2>&1 | FileCheck %s --check-prefix=FAILS

// RUN: sed 's/lower_masked_transfers/reduction_to_contract/' %s > %t.mlir
// RUN: formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=HELD
// HELD: cannot prove that 'transform.apply_patterns' succeeds: runs 'transform.apply_patterns.vector.reduction_to_contract' where a vector.mask may be

// CHECK: vector.mask
// CHECK-NOT: linalg
// SMALL: error: requires vector sizes that cover the loops of 'linalg.matmul' but has 2 for dimension 2, which has 4 [fw-vector-sizes]
// FEW: error: requires a vector size for each of the 3 loops of 'linalg.matmul' but has 2 [fw-vector-sizes]
// SCALABLE: error: requires an op that can be vectorized but 'linalg.exp' cannot be with these sizes [fw-no-vector-form]
// FAILS: Attempted to vectorize, but failed

func.func @f(%a: tensor<?x4xf32>, %b: tensor<4x?xf32>, %c: tensor<?x?xf32>, %d: tensor<3x?xf32>) -> (tensor<?x?xf32>, tensor<3x?xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<?x4xf32>, tensor<4x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.exp ins(%d : tensor<3x?xf32>) outs(%d : tensor<3x?xf32>) -> tensor<3x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<3x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %matmul tile_sizes [8, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %tile vector_sizes [8, 16, 4] : !transform.any_op
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %exp vector_sizes [3, [4]] : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
