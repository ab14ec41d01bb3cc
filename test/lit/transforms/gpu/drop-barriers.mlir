// Barriers go where no thread waits for what another one accesses, and nowhere else.
// RUN: formwork-opt %s --formwork-gpu-drop-barriers --split-input-file | FileCheck %s

#shared = #gpu.address_space<workgroup>

// Behind the last access, and in front of the first one.
// CHECK-LABEL: func @ends
// CHECK-NOT: gpu.barrier
func.func @ends(%a: memref<64xf32>, %x: f32) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    gpu.barrier
    memref.store %x, %a[%tx] : memref<64xf32>
    gpu.barrier
    gpu.terminator
  }
  return
}

// A written place is read, in either direction: one barrier stays, of two in a row.
// CHECK-LABEL: func @reads
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: memref.load
// CHECK: gpu.barrier
// CHECK: memref.store
func.func @reads(%x: f32, %i: index) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %s = memref.alloc() : memref<64xf32, #shared>
    memref.store %x, %s[%tx] : memref<64xf32, #shared>
    gpu.barrier
    gpu.barrier
    %y = memref.load %s[%i] : memref<64xf32, #shared>
    gpu.barrier
    memref.store %y, %s[%tx] : memref<64xf32, #shared>
    gpu.terminator
  }
  return
}

// Both sides only read; two allocations; workgroup and global memory; memory of a
// thread.
// CHECK-LABEL: func @apart
// CHECK-NOT: gpu.barrier
func.func @apart(%a: memref<64xf32>, %x: f32, %i: index) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %s = memref.alloc() : memref<64xf32, #shared>
    %t = memref.alloc() : memref<64xf32, #shared>
    %own = memref.alloca() : memref<64xf32>
    memref.store %x, %own[%i] : memref<64xf32>
    %0 = memref.load %a[%i] : memref<64xf32>
    gpu.barrier
    %1 = memref.load %a[%tx] : memref<64xf32>
    %2 = memref.load %own[%i] : memref<64xf32>
    memref.store %x, %s[%tx] : memref<64xf32, #shared>
    gpu.barrier
    memref.store %x, %t[%tx] : memref<64xf32, #shared>
    gpu.terminator
  }
  return
}

// Two arguments may be one buffer, unless the function says that they are not.
// CHECK-LABEL: func @arguments
// CHECK: gpu.barrier
func.func @arguments(%a: memref<64xf32>, %b: memref<64xf32>, %x: f32, %i: index) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    memref.store %x, %a[%tx] : memref<64xf32>
    gpu.barrier
    %0 = memref.load %b[%i] : memref<64xf32>
    memref.store %0, %b[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
// CHECK-LABEL: func @noalias
// CHECK-NOT: gpu.barrier
func.func @noalias(%a: memref<64xf32> {llvm.noalias}, %b: memref<64xf32>, %x: f32, %i: index) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    memref.store %x, %a[%tx] : memref<64xf32>
    gpu.barrier
    %0 = memref.load %b[%i] : memref<64xf32>
    memref.store %0, %b[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}

// In a loop, the next step writes what this one reads. The barrier between the fill of
// the result and the loop orders nothing.
// CHECK-LABEL: func @loop
// CHECK: memref.store {{.*}} : memref<64xf32>
// CHECK-NOT: gpu.barrier
// CHECK: scf.for
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.load
// CHECK: gpu.barrier
// CHECK-NEXT: }
// CHECK-NOT: gpu.barrier
func.func @loop(%a: memref<64xf32>, %x: f32, %n: index, %i: index) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %out = memref.alloc() : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %s = memref.alloc() : memref<64xf32, #shared>
    memref.store %x, %out[%tx] : memref<64xf32>
    gpu.barrier
    scf.for %k = %c0 to %n step %c1 {
      %0 = memref.load %a[%tx] : memref<64xf32>
      memref.store %0, %s[%tx] : memref<64xf32, #shared>
      gpu.barrier
      %1 = memref.load %s[%i] : memref<64xf32, #shared>
      memref.store %1, %out[%tx] : memref<64xf32>
      gpu.barrier
    }
    gpu.barrier
    gpu.terminator
  }
  return %out : memref<64xf32>
}

// A barrier in a branch of a loop: the next step comes to what stands in front of it.
// One in a branch is none that all threads come to: the one in front of it stays.
// CHECK-LABEL: func @branches
// CHECK: scf.for
// CHECK: scf.if
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.load
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: memref.load
func.func @branches(%a: memref<64xf32>, %x: f32, %n: index, %i: index, %is: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %s = memref.alloc() : memref<64xf32, #shared>
    %t = memref.alloc() : memref<64xf32, #shared>
    scf.for %k = %c0 to %n step %c1 {
      scf.if %is {
        memref.store %x, %s[%tx] : memref<64xf32, #shared>
        gpu.barrier
        %1 = memref.load %s[%i] : memref<64xf32, #shared>
        memref.store %1, %a[%tx] : memref<64xf32>
      }
    }
    memref.store %x, %t[%tx] : memref<64xf32, #shared>
    gpu.barrier
    scf.if %is {
      gpu.barrier
    }
    %2 = memref.load %t[%i] : memref<64xf32, #shared>
    memref.store %2, %a[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}

// Other blocks may conclude from an atomic operation what was written before.
// CHECK-LABEL: func @atomic
// CHECK: gpu.barrier
func.func @atomic(%x: f32) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %out = memref.alloc() : memref<64xf32>
  %flag = memref.alloc() : memref<1xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %one = arith.constant 1 : i32
    memref.store %x, %out[%tx] : memref<64xf32>
    gpu.barrier
    %old = memref.atomic_rmw addi %one, %flag[%c0] : (i32, memref<1xi32>) -> i32
    gpu.terminator
  }
  return %out : memref<64xf32>
}

// Two loops: what is behind the barrier of the first meets what is in front of the
// barrier of the second, and no more.
// CHECK-LABEL: func @loops
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: }
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK: gpu.barrier
func.func @loops(%a: memref<64xf32>, %x: f32, %n: index, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %s = memref.alloc() : memref<64xf32, #shared>
    scf.for %k = %c0 to %n step %c1 {
      %0 = memref.load %s[%i] : memref<64xf32, #shared>
      gpu.barrier
      memref.store %x, %s[%tx] : memref<64xf32, #shared>
      memref.store %0, %a[%tx] : memref<64xf32>
    }
    gpu.barrier
    scf.for %k = %c0 to %n step %c1 {
      %1 = memref.load %s[%i] : memref<64xf32, #shared>
      gpu.barrier
      memref.store %1, %s[%tx] : memref<64xf32, #shared>
    }
    gpu.terminator
  }
  return
}
