// What tiling a reduction makes is known: where the parts begin, a part, what merges them, and the loop. A part is a clone of the op in an scf.forall.
// In loops, parts are computed side by side.
// RUN: formwork check %s --static --strict
// RUN: formwork apply %s --validate -o - | FileCheck %s
// RUN: sed 's/by tile_sizes = \[6, 0, 10\]/by tile_sizes = [5, 0, 8]/' %s > %t.mlir
// RUN: not formwork check %t.mlir --static 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not formwork apply %t.mlir --unchecked -o - 2>&1 | FileCheck %s --check-prefix=FAILS

// CHECK: vector.transfer_write {{.*}} : vector<40x6x10xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: vector.multi_reduction <add>
// CHECK: scf.forall {{.*}} in (3, 5)
// CHECK: linalg.reduce {{.*}} {absolute, seen, tile}
// CHECK: mapping = [#gpu.thread<y>, #gpu.thread<x>]
// CHECK: vector.multi_reduction <add>
// OPEN: error: requires static shapes but dimension 0 of 'linalg.generic' is dynamic [fw-dynamic-shape]
// FAILS: Attempted to vectorize, but failed

func.func @f(%a: tensor<12x40x30xf32>, %b: tensor<40xf32>) -> (tensor<40xf32>, tensor<40xf32>) {
  %0 = linalg.reduce ins(%a : tensor<12x40x30xf32>) outs(%b : tensor<40xf32>) dimensions = [0, 2] {sum} (%x: f32, %acc: f32) {
    %s = arith.addf %x, %acc : f32
    linalg.yield %s : f32
  }
  %1 = linalg.reduce ins(%a : tensor<12x40x30xf32>) outs(%b : tensor<40xf32>) dimensions = [0, 2] {absolute, tile} (%x: f32, %acc: f32) {
    %m = math.absf %x : f32
    %s = arith.addf %m, %acc : f32
    linalg.yield %s : f32
  }
  return %0, %1 : tensor<40xf32>, tensor<40xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %s = transform.structured.match attributes {sum} in %root : (!transform.any_op) -> !transform.any_op
    %init, %part, %merge, %loop = transform.structured.tile_reduction_using_for %s by tile_sizes = [6, 0, 10] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %init : !transform.any_op
    transform.structured.vectorize %part : !transform.any_op
    transform.structured.vectorize %merge : !transform.any_op
    %m = transform.structured.match attributes {absolute} in %root : (!transform.any_op) -> !transform.any_op
    %init2, %part2, %merge2, %loop2 = transform.structured.tile_reduction_using_forall %m by num_threads = [3, 0, 5] mapping = [#gpu.thread<y>, #gpu.thread<x>] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %part2 "seen" : !transform.any_op
    transform.structured.vectorize %merge2 : !transform.any_op
    transform.annotate %loop "merged" : !transform.any_op
    transform.yield
  }
}
