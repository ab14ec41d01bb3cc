// Unrolling a loop of known trips leaves copies of what it holds: as many as are there, in the
// loop, in one for what is left over, or in the place of either.
// RUN: formwork check %s --strict
// RUN: formwork apply %s --validate -o - | FileCheck %s
// RUN: sed 's/1:3 = t/1:4 = t/; s/-> (!transform.any_op, !transform.any_op, !transform.any_op)$/-> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)/' %s > %t.mlir
// RUN: not formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=MORE

// MORE: error: requires 4 payload ops in %0 but it has 3 [fw-cardinality]

// One step is left over, and those unrolled are one: no loop.
// CHECK-LABEL: func.func @three
// CHECK-NOT: scf.for
// CHECK-COUNT-3: {three}
// CHECK-NOT: scf.for
// CHECK: return

// There are too few steps for a copy.
// CHECK-LABEL: func.func @few
// CHECK: scf.for
// CHECK-NOT: {few}
// CHECK: {few, mark}
// CHECK-NOT: {few, mark}
// CHECK: return

// A loop of two steps behind one of two.
// CHECK-LABEL: func.func @eight
// CHECK: scf.for
// CHECK-COUNT-3: scf.for %{{.*}} step %{{.*}} {
// CHECK: scf.for
// CHECK-COUNT-1: scf.for %{{.*}} step %{{.*}} {
// CHECK-NOT: scf.for
// CHECK: return

func.func @three(%a: memref<12x4xf32>) {
  %c = arith.constant 0.0 : f32
  linalg.fill {three} ins(%c : f32) outs(%a : memref<12x4xf32>)
  return
}
func.func @few(%a: memref<8x4xf32>) {
  %c = arith.constant 0.0 : f32
  linalg.fill {few} ins(%c : f32) outs(%a : memref<8x4xf32>)
  return
}
func.func @eight(%a: memref<32x4xf32>) {
  %c = arith.constant 0.0 : f32
  linalg.fill {eight} ins(%c : f32) outs(%a : memref<32x4xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %three = transform.structured.match attributes {three} in %root : (!transform.any_op) -> !transform.any_op
    %t3, %l3 = transform.structured.tile_using_for %three tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %l3 {factor = 2 : i64} : !transform.any_op
    %0 = transform.structured.match attributes {three} in %root : (!transform.any_op) -> !transform.any_op
    %1:3 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

    %few = transform.structured.match attributes {few} in %root : (!transform.any_op) -> !transform.any_op
    %t2, %l2 = transform.structured.tile_using_for %few tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %l2 {factor = 3 : i64} : !transform.any_op
    %2 = transform.structured.match attributes {few} in %root : (!transform.any_op) -> !transform.any_op
    %3 = transform.split_handle %2 : (!transform.any_op) -> !transform.any_op
    transform.annotate %3 "mark" : !transform.any_op

    %eight = transform.structured.match attributes {eight} in %root : (!transform.any_op) -> !transform.any_op
    %t8, %l8 = transform.structured.tile_using_for %eight tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %l8 "loop" : !transform.any_op
    transform.loop.unroll %l8 {factor = 3 : i64} : !transform.any_op
    %4 = transform.structured.match attributes {eight} in %root : (!transform.any_op) -> !transform.any_op
    %t4, %l4 = transform.structured.tile_using_for %4 tile_sizes [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %5 = transform.structured.match attributes {loop} in %root : (!transform.any_op) -> !transform.any_op
    %6:2 = transform.split_handle %5 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
