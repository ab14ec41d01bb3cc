// Each named op that the pass meets is a linalg.generic afterwards, with the same loops
// and none of its attributes; what is general already stays.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o - | FileCheck %s --check-prefix=OUT
// RUN: sed 's/general} in/named} in/' %s > %t.mlir
// RUN: formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=GONE

// CHECK: : proved: 0 errors, 0 warnings;
// GONE: warning: requires a payload op to match but 'func.func' has none at this point
// OUT-NOT: named
// OUT: scf.for
// OUT: scf.for
// OUT: linalg.generic
// OUT: linalg.generic
// OUT-SAME: {general, mark}

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  linalg.matmul {named} ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : memref<16x16xf32>) outs(%b : memref<16x16xf32>) attrs = {general} {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match attributes {named} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %m tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "linalg-generalize-named-ops" to %f : (!transform.any_op) -> !transform.any_op
    %general = transform.structured.match attributes {general} in %g : (!transform.any_op) -> !transform.any_op
    transform.annotate %general "mark" : !transform.any_op
    %all = transform.structured.match ops{["linalg.generic"]} in %g : (!transform.any_op) -> !transform.any_op
    %one, %other = transform.split_handle %all : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %u, %k = transform.structured.tile_using_for %all tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
