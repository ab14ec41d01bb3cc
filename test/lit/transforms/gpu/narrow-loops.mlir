// RUN: formwork-opt %s --formwork-gpu-narrow-loops | FileCheck %s
// RUN: formwork-opt %s --formwork-gpu-narrow-loops -o %t.once
// RUN: formwork-opt %t.once --formwork-gpu-narrow-loops | diff %t.once -

// A loop that carries nothing in one that carries a value: both count with 32 bits.
// CHECK-LABEL: func @nested
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %c1_i32{{.*}} to %c9_i32{{.*}} step %c2_i32{{.*}} iter_args(%[[ACC:.*]] = %arg1) -> (f32) : i32 {
// CHECK: %[[AT:.*]] = arith.index_castui %[[I]] : i32 to index
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
// CHECK: memref.store %[[ACC]], %arg0[%[[AT]]]
// CHECK: }
// CHECK: scf.yield
// CHECK: } {kept = "kept"}
// CHECK: return %[[SUM]]
func.func @nested(%m: memref<64xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %sum = scf.for %i = %c1 to %c9 step %c2 iter_args(%acc = %x) -> (f32) {
    scf.for %j = %c0 to %c2 step %c1 {
      memref.store %acc, %m[%i] : memref<64xf32>
    }
    %next = arith.addf %acc, %x : f32
    scf.yield %next : f32
  } {kept = "kept"}
  return %sum : f32
}

// Not known, negative, and too large: these loops stay.
// CHECK-LABEL: func @others
// CHECK-COUNT-4: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[a-z0-9]*}} {
// CHECK-NOT: i32
func.func @others(%m: memref<64xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %minus = arith.constant -1 : index
  %large = arith.constant 1073741825 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%i] : memref<64xf32>
  }
  scf.for %i = %minus to %c1 step %c1 {
    memref.store %x, %m[%c0] : memref<64xf32>
  }
  scf.for %i = %c0 to %large step %c1 {
    memref.store %x, %m[%c0] : memref<64xf32>
  }
  scf.for %i = %c0 to %c1 step %large {
    memref.store %x, %m[%c0] : memref<64xf32>
  }
  return
}
