// RUN: formwork-opt %s --transform-interpreter --split-input-file | FileCheck %s

// The host computes the grid; the kernel asks whether there is anything to do.

// CHECK: #[[COUNT:.*]] = affine_map<()[s0] -> (s0 ceildiv 8)>
// CHECK: #[[AT:.*]] = affine_map<()[s0] -> (s0 * 8)>
// CHECK-LABEL: func @dynamic
// CHECK: %[[BLOCKS:.*]] = affine.apply #[[COUNT]]()[%arg1]
// CHECK: %[[GRID:.*]] = arith.maxsi %[[BLOCKS]], %{{.*}}
// CHECK: gpu.launch blocks({{.*}}) in (%{{[a-z0-9]*}} = %[[GRID]], %{{[a-z0-9]*}} = %c4,
// CHECK-SAME: threads({{.*}}) in (%{{[a-z0-9]*}} = %c1, %{{[a-z0-9]*}} = %c1, %{{[a-z0-9]*}} = %c1)
// CHECK: %[[X:.*]] = gpu.block_id x
// CHECK: %[[Y:.*]] = gpu.block_id y
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[X]], %[[BLOCKS]]
// CHECK: scf.if %[[IN]]
// CHECK: %[[I:.*]] = affine.apply #[[AT]]()[%[[X]]]
// CHECK: memref.store %{{.*}}, %arg0[%[[Y]], %[[I]]] {launched}
// CHECK-NOT: scf.forall.in_parallel
func.func @dynamic(%x: memref<4x?xf32>, %n: index, %v: f32) {
  scf.forall (%i, %j) = (0, 0) to (%n, 4) step (8, 1) {
    memref.store %v, %x[%j, %i] : memref<4x?xf32>
  } {mapping = [#gpu.block<x>, #gpu.block<y>], outer}
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.forall"]} attributes {outer} in %root : (!transform.any_op) -> !transform.any_op
    %launch = transform.formwork.map_forall_to_blocks %loop : (!transform.any_op) -> !transform.any_op
    %store = transform.structured.match ops{["memref.store"]} in %launch : (!transform.any_op) -> !transform.any_op
    transform.annotate %store "launched" : !transform.any_op
    transform.yield
  }
}

// -----

// Constant bounds: no guard. Two loops are two kernels.

// CHECK-LABEL: func @constant
// CHECK: gpu.launch
// CHECK-NOT: scf.if
// CHECK: memref.store
// CHECK: gpu.launch
// CHECK-NOT: scf.if
// CHECK: memref.store
func.func @constant(%x: memref<16xf32>, %v: f32) {
  scf.forall (%i) in (16) {
    memref.store %v, %x[%i] : memref<16xf32>
  } {mapping = [#gpu.block<x>], outer}
  scf.forall (%i) = (2) to (16) step (3) {
    memref.store %v, %x[%i] : memref<16xf32>
  } {mapping = [#gpu.block<z>], outer}
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.forall"]} attributes {outer} in %root : (!transform.any_op) -> !transform.any_op
    %launch = transform.formwork.map_forall_to_blocks %loop : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Linear dimensions share x: five loops, the least number the fastest.

// CHECK: #[[REST:.*]] = affine_map<()[s0] -> (s0 mod 7)>
// CHECK-LABEL: func @linear
// CHECK: gpu.launch blocks({{.*}}) in (%{{[a-z0-9]*}} = %c840, %{{[a-z0-9]*}} = %c1, %{{[a-z0-9]*}} = %c1)
// CHECK: %[[X:.*]] = gpu.block_id x
// CHECK-NOT: scf.if
// CHECK: affine.apply #[[REST]]()[%[[X]]]
func.func @linear(%x: memref<2x3x4x5x7xf32>, %v: f32) {
  scf.forall (%a, %b, %c, %d, %e) in (2, 3, 4, 5, 7) {
    memref.store %v, %x[%a, %b, %c, %d, %e] : memref<2x3x4x5x7xf32>
  } {mapping = [#gpu.block<linear_dim_4>, #gpu.block<linear_dim_3>, #gpu.block<linear_dim_2>, #gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>], outer}
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.forall"]} attributes {outer} in %root : (!transform.any_op) -> !transform.any_op
    %launch = transform.formwork.map_forall_to_blocks %loop : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
