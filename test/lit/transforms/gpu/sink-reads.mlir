// RUN: formwork-opt %s --formwork-gpu-sink-reads | FileCheck %s
// Twice is as once.
// RUN: formwork-opt %s --formwork-gpu-sink-reads > %t.once
// RUN: formwork-opt %t.once --formwork-gpu-sink-reads | diff %t.once -

memref.global "private" constant @weights : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

// CHECK-LABEL: func.func @kernels
func.func @kernels(%y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NOT: memref.get_global
  %w = memref.get_global @weights : memref<4xf32>
  // CHECK: gpu.launch
  // CHECK: %[[W:.*]] = memref.get_global @weights
  // CHECK: memref.load %[[W]]
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %w[%c0] : memref<4xf32>
    memref.store %v, %y[%c0] : memref<4xf32>
    gpu.terminator
  }
  // CHECK: gpu.launch
  // CHECK: memref.get_global @weights
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %w[%c1] : memref<4xf32>
    memref.store %v, %y[%c1] : memref<4xf32>
    gpu.terminator
  }
  return
}

// The host's own use stays.
// CHECK-LABEL: func.func @host
func.func @host() -> f32 {
  %c0 = arith.constant 0 : index
  // CHECK: memref.get_global
  %w = memref.get_global @weights : memref<4xf32>
  %v = memref.load %w[%c0] : memref<4xf32>
  return %v : f32
}

// A read of an argument that was a tensor, and what is computed of it, moves; one of
// a buffer that is written behind it stays, and so does one of any other argument.
// CHECK-LABEL: func.func @reads
func.func @reads(%x: memref<4xf32> {formwork.by_value}, %other: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<4xf32>
  // CHECK-NOT: memref.load %arg0
  %a = memref.load %x[%c0] : memref<4xf32>
  %n = arith.negf %a : f32
  // CHECK: %[[W:.*]] = memref.load %alloc
  %w = memref.load %t[%c0] : memref<4xf32>
  // CHECK: %[[O:.*]] = memref.load %arg1
  %o = memref.load %other[%c0] : memref<4xf32>
  // CHECK: gpu.launch
  // CHECK: %[[A:.*]] = memref.load %arg0
  // CHECK: %[[N:.*]] = arith.negf %[[A]]
  // CHECK: memref.store %[[N]], %alloc
  // CHECK: memref.store %[[W]], %alloc
  // CHECK: memref.store %[[O]], %alloc
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %n, %t[%c0] : memref<4xf32>
    memref.store %w, %t[%c1] : memref<4xf32>
    memref.store %o, %t[%c1] : memref<4xf32>
    gpu.terminator
  }
  return
}

// A buffer that something else may refer to is written through that.
// CHECK-LABEL: func.func @aliases
func.func @aliases(%x: memref<4xf32> {formwork.by_value}, %y: memref<4xf32> {formwork.by_value},
                   %which: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %either = arith.select %which, %x, %y : memref<4xf32>
  // CHECK: memref.load %arg0
  %a = memref.load %x[%c0] : memref<4xf32>
  // CHECK: gpu.launch
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %a, %either[%c0] : memref<4xf32>
    gpu.terminator
  }
  return
}

// A write through a view counts, and so does a copy between the read and the kernel.
// CHECK-LABEL: func.func @views
func.func @views(%x: memref<4xf32> {formwork.by_value}, %y: memref<4xf32> {formwork.by_value}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<4xf32>
  %tail = memref.subview %t[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  // CHECK: %[[A:.*]] = memref.load %alloc
  %a = memref.load %t[%c0] : memref<4xf32>
  // CHECK: %[[B:.*]] = memref.load %arg0
  %b = memref.load %x[%c0] : memref<4xf32>
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  // CHECK: gpu.launch
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // CHECK: memref.store %[[A]]
    memref.store %a, %tail[%c0] : memref<2xf32, strided<[1], offset: 2>>
    // CHECK: memref.store %[[B]]
    memref.store %b, %tail[%c1] : memref<2xf32, strided<[1], offset: 2>>
    gpu.terminator
  }
  return
}

// A write in front of the read does not keep it; the next round of a loop reads again.
// CHECK-LABEL: func.func @before
func.func @before(%y: memref<4xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<4xf32>
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: memref.store %{{.*}}, %alloc
    // CHECK-NEXT: gpu.launch
    memref.store %v, %t[%c0] : memref<4xf32>
    %a = memref.load %t[%c0] : memref<4xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      // CHECK-NEXT: memref.load %alloc
      memref.store %a, %y[%c0] : memref<4xf32>
      gpu.terminator
    }
  }
  return
}

// A read in front of a loop that writes behind it stays.
// CHECK-LABEL: func.func @around
func.func @around(%y: memref<4xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<4xf32>
  memref.store %v, %t[%c0] : memref<4xf32>
  // CHECK: memref.load %alloc
  // CHECK: scf.for
  %a = memref.load %t[%c0] : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %b = arith.negf %a : f32
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %b, %y[%c0] : memref<4xf32>
      gpu.terminator
    }
    memref.store %v, %t[%c0] : memref<4xf32>
  }
  return
}

// A global that is not constant stays what it was when the host read it.
memref.global "private" @counter : memref<4xf32> = dense<0.0>
// CHECK-LABEL: func.func @variable
func.func @variable(%y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = memref.get_global @counter : memref<4xf32>
  // CHECK: memref.load
  // CHECK: gpu.launch
  %v = memref.load %w[%c0] : memref<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %y[%c0] : memref<4xf32>
    gpu.terminator
  }
  return
}
