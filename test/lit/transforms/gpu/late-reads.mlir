// RUN: formwork-opt %s --formwork-gpu-late-reads | FileCheck %s
// Twice is as once.
// RUN: formwork-opt %s --formwork-gpu-late-reads -o %t.once
// RUN: formwork-opt %t.once --formwork-gpu-late-reads | diff %t.once -

gpu.module @kernels {
  // Two reads of 40 registers wait for a division and a root: they go behind both.
  // A read that is used in front, or by these, stays.
  // CHECK-LABEL: gpu.func @many
  // CHECK: vector.load %arg0
  // CHECK: arith.divf
  // CHECK-NEXT: math.rsqrt
  // CHECK-NEXT: %[[A:.*]] = vector.load %arg1
  // CHECK-NEXT: %[[B:.*]] = vector.load %arg2
  // CHECK-NEXT: arith.addf %[[A]], %[[B]]
  gpu.func @many(%x: memref<64xf32>, %a: memref<64xf32>, %b: memref<64xf32>, %y: memref<64xf32>) kernel {
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%c0] : memref<64xf32>, vector<40xf32>
    %s = vector.extract %v[0] : f32 from vector<40xf32>
    %p = vector.load %a[%c0] : memref<64xf32>, vector<40xf32>
    %q = vector.load %b[%c0] : memref<64xf32>, vector<40xf32>
    %d = arith.divf %s, %s : f32
    %r = math.rsqrt %d : f32
    %sum = arith.addf %p, %q : vector<40xf32>
    %f = vector.broadcast %r : f32 to vector<40xf32>
    %product = arith.mulf %sum, %f : vector<40xf32>
    vector.store %product, %y[%c0] : memref<64xf32>, vector<40xf32>
    gpu.return
  }

  // Few values can wait: the earlier they are read, the better.
  // CHECK-LABEL: gpu.func @few
  // CHECK: vector.load %arg1
  // CHECK-NEXT: math.rsqrt
  gpu.func @few(%x: memref<64xf32>, %a: memref<64xf32>) kernel {
    %c0 = arith.constant 0 : index
    %s = memref.load %x[%c0] : memref<64xf32>
    %p = vector.load %a[%c0] : memref<64xf32>, vector<64xf32>
    %r = math.rsqrt %s : f32
    %f = vector.broadcast %r : f32 to vector<64xf32>
    %product = arith.mulf %p, %f : vector<64xf32>
    vector.store %product, %x[%c0] : memref<64xf32>, vector<64xf32>
    gpu.return
  }

  // No read moves over a write, a barrier, or a branch that may write; what an inner
  // region uses counts as used.
  // CHECK-LABEL: gpu.func @ordered
  // CHECK: vector.load %arg0
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: math.rsqrt
  // CHECK-NEXT: vector.load %arg0
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: math.sqrt
  // CHECK-NEXT: vector.load %arg0
  // CHECK-NEXT: scf.if
  // CHECK: math.exp
  gpu.func @ordered(%x: memref<80xf32>, %y: memref<80xf32>, %is: i1, %s: f32) kernel {
    %c0 = arith.constant 0 : index
    %p = vector.load %x[%c0] : memref<80xf32>, vector<80xf32>
    memref.store %s, %y[%c0] : memref<80xf32>
    %r = math.rsqrt %s : f32
    %q = vector.load %x[%c0] : memref<80xf32>, vector<80xf32>
    gpu.barrier
    %t = math.sqrt %r : f32
    %o = vector.load %x[%c0] : memref<80xf32>, vector<80xf32>
    scf.if %is {
      vector.store %o, %y[%c0] : memref<80xf32>, vector<80xf32>
    }
    %u = math.exp %t : f32
    %sum = arith.addf %p, %q : vector<80xf32>
    %f = vector.broadcast %u : f32 to vector<80xf32>
    %product = arith.mulf %sum, %f : vector<80xf32>
    vector.store %product, %y[%c0] : memref<80xf32>, vector<80xf32>
    gpu.return
  }
}
