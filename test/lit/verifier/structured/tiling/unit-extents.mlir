// Rewrites that drop unit dimensions, or inputs
// that no loop indexes, leave ops that have none.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir --validate -o - | FileCheck %s --check-prefix=APPLIED
// RUN: sed '/apply_patterns to/i transform.annotate %%f "changed" : !transform.any_op' %t/schedule.mlir > %t/changed.mlir
// RUN: formwork check %t/unit.mlir --transform=%t/changed.mlir 2>&1 | FileCheck %s --check-prefix=UNIT

// PROVED: : proved: 0 errors, 1 warning
// APPLIED: {kept}
// UNIT: cannot prove that 'transform.apply_patterns' succeeds: applies 'transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices', which may not terminate where structured ops are on buffers

//--- payload.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: memref<8x16xf32>, %b: memref<8x16xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<8x16xf32>) outs(%b : memref<8x16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.mulf %x, %y : f32
    linalg.yield %z : f32
  }
  return
}

//--- unit.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: memref<1x16xf32>, %b: memref<1x16xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<1x16xf32>) outs(%b : memref<1x16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.mulf %x, %y : f32
    linalg.yield %z : f32
  }
  return
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
    } : !transform.any_op
    %t, %l = transform.structured.tile_using_for %m tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %g = transform.apply_registered_pass "linalg-fold-unit-extent-dims" to %f : (!transform.any_op) -> !transform.any_op
    %h = transform.apply_registered_pass "linalg-inline-scalar-operands" to %g : (!transform.any_op) -> !transform.any_op
    %again = transform.structured.match ops{["linalg.generic"]} in %h : (!transform.any_op) -> !transform.any_op
    %u, %k = transform.structured.tile_using_for %again tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %k "kept" : !transform.any_op
    transform.yield
  }
}
