// No loop folds by itself: only canonicalization takes one of one step away.
// RUN: formwork check %s --strict
// RUN: formwork apply %s --validate -o - | FileCheck %s
// RUN: sed s/vector.lower_outerproduct/canonicalization/ %s > %t.mlir
// RUN: formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=FOLDS
// RUN: not formwork apply %t.mlir -o - 2>&1 | FileCheck %s --check-prefix=FAILS

// CHECK: scf.for
// CHECK: } {mark}
// FOLDS: cannot prove that 'transform.apply_patterns' succeeds: may replace payload of %loop
// FAILS: tracking listener failed to find replacement op

func.func @f(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %tile : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_outerproduct
    } : !transform.any_op
    transform.annotate %loop "mark" : !transform.any_op
    transform.yield
  }
}
