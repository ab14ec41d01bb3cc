// The clean-up that belongs to tiling folds no scf.forall, though it has one step;
// canonicalization does.
// RUN: formwork check %s --strict
// RUN: formwork apply %s --validate -o - | FileCheck %s
// RUN: sed s/linalg.tiling_canonicalization/canonicalization/ %s > %t.mlir
// RUN: formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=TRIED
// RUN: formwork apply %t.mlir --validate -o %t.out
// With an open knob, no step is tried.
// RUN: sed -i '/sequence [@]__/a %%k = transform.tune.knob<"k"> options = [1, 2] -> !transform.param<i64>' %t.mlir
// RUN: formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=FOLDS

// CHECK: scf.forall
// CHECK: } {mark}
// TRIED: : proved: 0 errors
// FOLDS: cannot prove that 'transform.apply_patterns' succeeds: may replace payload of %loop

func.func @f(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %matmul tile_sizes [64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.scf.for_loop_canonicalization
    } {apply_cse} : !transform.any_op
    transform.annotate %loop "mark" : !transform.any_op
    transform.yield
  }
}
