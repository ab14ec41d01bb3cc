// RUN: formwork-opt %s --formwork-gpu-private-buffers --split-input-file | FileCheck %s
// RUN: formwork-opt %s --formwork-gpu-private-buffers --formwork-gpu-private-buffers --split-input-file | FileCheck %s

// A temporary of a loop that all threads run alike: one slot, outside the loop.
// CHECK-LABEL: func @temporary
func.func @temporary(%m: memref<64xf32>, %v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  // CHECK: gpu.launch
  // CHECK-NEXT: %[[SLOT:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1x4xf32>
  // CHECK-NOT: memref.alloc(
  // CHECK-NOT: memref.dealloc
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    scf.for %k = %c0 to %c32 step %c1 {
      %t = memref.alloc() {alignment = 64 : i64} : memref<1x4xf32>
      %view = memref.subview %t[0, 0] [1, 4] [1, 1] : memref<1x4xf32> to memref<4xf32, strided<[1]>>
      // CHECK: vector.store %{{.*}}, %{{.*}}
      vector.store %v, %view[%c0] : memref<4xf32, strided<[1]>>, vector<4xf32>
      // CHECK: vector.load %[[SLOT]]
      %w = vector.load %t[%c0, %c0] : memref<1x4xf32>, vector<4xf32>
      vector.store %w, %m[%tx] : memref<64xf32>, vector<4xf32>
      memref.dealloc %t : memref<1x4xf32>
    }
    gpu.terminator
  }
  return
}

// -----

// Each thread writes its own element, and may read that of another.
// CHECK-LABEL: func @exchanged
func.func @exchanged(%m: memref<32xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    // CHECK: memref.alloc()
    %t = memref.alloc() : memref<32xf32>
    memref.store %s, %t[%tx] : memref<32xf32>
    gpu.barrier
    %v = memref.load %t[%c0] : memref<32xf32>
    memref.store %v, %m[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// One thread writes, all of them read.
// CHECK-LABEL: func @told
func.func @told(%m: memref<32xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    // CHECK: memref.alloc()
    %t = memref.alloc() : memref<1xf32>
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      memref.store %s, %t[%c0] : memref<1xf32>
    }
    gpu.barrier
    %v = memref.load %t[%c0] : memref<1xf32>
    memref.store %v, %m[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// The threads take different numbers of steps, and so does what they write.
// CHECK-LABEL: func @ragged
func.func @ragged(%m: memref<32xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    // CHECK: memref.alloc()
    %t = memref.alloc() : memref<1xf32>
    scf.for %k = %c0 to %tx step %c1 {
      memref.store %s, %t[%c0] : memref<1xf32>
    }
    gpu.terminator
  }
  return
}

// -----

// No thread has that many registers; and what goes elsewhere is not one thread's.
func.func private @take(memref<4xf32>)
// CHECK-LABEL: func @large_or_escaping
func.func @large_or_escaping(%s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // CHECK: memref.alloc() : memref<257xf32>
    %t = memref.alloc() : memref<257xf32>
    memref.store %s, %t[%c0] : memref<257xf32>
    // CHECK: memref.alloc() : memref<4xf32>
    %u = memref.alloc() : memref<4xf32>
    func.call @take(%u) : (memref<4xf32>) -> ()
    gpu.terminator
  }
  return
}
