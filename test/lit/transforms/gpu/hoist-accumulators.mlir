// RUN: formwork-opt %s --formwork-gpu-hoist-accumulators --canonicalize --split-input-file | FileCheck %s
// RUN: formwork-opt %s --formwork-gpu-hoist-accumulators --formwork-gpu-hoist-accumulators --canonicalize --split-input-file | FileCheck %s

// Out of both loops, past the barriers: the copy is in workgroup memory, and the
// result, an allocation, is not the argument.
// CHECK-LABEL: func @staged
func.func @staged(%a: memref<64x64xf32>) -> memref<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<64x64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %s = memref.alloc() : memref<16x4xf32, #gpu.address_space<workgroup>>
    // CHECK: %[[FIRST:[a-z0-9_]+]] = vector.transfer_read %[[C:[a-z0-9_]+]][%[[I:[a-z0-9_]+]], %{{.*}}]
    // CHECK: %[[LAST:[a-z0-9_]+]] = scf.for {{.*}} iter_args(%[[OUTER:[a-z0-9_]+]] = %[[FIRST]]) -> (vector<4x4xf32>)
    // CHECK: gpu.barrier
    // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[OUTER]]) -> (vector<4x4xf32>)
    // CHECK-NOT: memref<64x64xf32>, vector<4x4xf32>
    // CHECK: scf.yield
    // CHECK: scf.yield
    // CHECK: vector.transfer_write %[[LAST]], %[[C]][%[[I]], %{{.*}}]
    scf.for %k = %c0 to %c64 step %c4 {
      %v = vector.load %a[%tx, %k] : memref<64x64xf32>, vector<4xf32>
      vector.store %v, %s[%tx, %c0] : memref<16x4xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      gpu.barrier
      scf.for %j = %c0 to %c4 step %c1 {
        %i = arith.muli %tx, %c4 : index
        %x = memref.load %s[%j, %j] : memref<16x4xf32, #gpu.address_space<workgroup>>
        %b = vector.broadcast %x : f32 to vector<4x4xf32>
        %old = vector.transfer_read %c[%i, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf32>, vector<4x4xf32>
        %new = arith.addf %old, %b : vector<4x4xf32>
        vector.transfer_write %new, %c[%i, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<64x64xf32>
      }
      gpu.barrier
    }
    gpu.terminator
  }
  return %c : memref<64x64xf32>
}

// -----

// Two arguments may be one buffer, unless their function says otherwise.
// CHECK-LABEL: func @arguments
// CHECK: scf.for
// CHECK: memref.store
// CHECK-NOT: memref.store
func.func @arguments(%a: memref<64xf32>, %c: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    scf.for %k = %c0 to %c64 step %c1 {
      %x = memref.load %a[%k] : memref<64xf32>
      %old = memref.load %c[%tx] : memref<64xf32>
      %new = arith.addf %old, %x : f32
      memref.store %new, %c[%tx] : memref<64xf32>
    }
    gpu.terminator
  }
  return
}

// CHECK-LABEL: func @unshared
// CHECK: %[[FIRST:[a-z0-9_]+]] = memref.load
// CHECK: %[[LAST:[a-z0-9_]+]] = scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]])
// CHECK-NOT: memref.store
// CHECK: scf.yield
// CHECK: memref.store %[[LAST]]
func.func @unshared(%a: memref<64xf32>, %c: memref<64xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    scf.for %k = %c0 to %c64 step %c1 {
      %x = memref.load %a[%k] : memref<64xf32>
      %old = memref.load %c[%tx] : memref<64xf32>
      %new = arith.addf %old, %x : f32
      memref.store %new, %c[%tx] : memref<64xf32>
    }
    gpu.terminator
  }
  return
}

// -----

// The loop reads behind a barrier what the neighbour wrote; a loop that may not run at all writes
// nothing; and an index that changes is another place at each step.
// CHECK-LABEL: func @stays
func.func @stays(%n: index) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c = memref.alloc() : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    // CHECK-NOT: iter_args
    scf.for %k = %c0 to %c32 step %c1 {
      %next = arith.addi %tx, %c1 : index
      %x = memref.load %c[%next] : memref<64xf32>
      %old = memref.load %c[%tx] : memref<64xf32>
      gpu.barrier
      %new = arith.addf %old, %x : f32
      memref.store %new, %c[%tx] : memref<64xf32>
      gpu.barrier
    }
    scf.for %k = %c0 to %n step %c1 {
      %old = memref.load %c[%tx] : memref<64xf32>
      %new = arith.addf %old, %old : f32
      memref.store %new, %c[%tx] : memref<64xf32>
    }
    scf.for %k = %c0 to %c32 step %c1 {
      %old = memref.load %c[%k] : memref<64xf32>
      %new = arith.addf %old, %old : f32
      memref.store %new, %c[%k] : memref<64xf32>
    }
    gpu.terminator
  }
  // CHECK: return
  return %c : memref<64xf32>
}
