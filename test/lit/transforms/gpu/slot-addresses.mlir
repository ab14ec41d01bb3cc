// RUN: formwork-opt %s --formwork-gpu-slot-addresses | FileCheck %s
// Twice is as once.
// RUN: formwork-opt %s --formwork-gpu-slot-addresses -o %t.once
// RUN: formwork-opt %t.once --formwork-gpu-slot-addresses | diff %t.once -

#shared = #gpu.address_space<workgroup>
gpu.module @kernels {
  // Both reads are at one address in front of the loop; what differs is a number.
  // CHECK-LABEL: gpu.func @reads
  // CHECK: %[[ROW:.*]] = arith.muli %arg1, %c64
  // CHECK: %[[START:.*]] = arith.addi %arg2, %[[ROW]]
  // CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %arg0 to offset: [%[[START]]], sizes: [2, 4096], strides: [4096, 1]
  // CHECK-NOT: memref.reinterpret_cast
  // CHECK: scf.for
  // CHECK: vector.load %[[VIEW]][%{{.*}}, %c0
  // CHECK: vector.load %[[VIEW]][%{{.*}}, %c512
  // CHECK: nvgpu.ldmatrix %[[VIEW]][%{{.*}}, %c512
  gpu.func @reads(%buffer: memref<2x64x64xf16, #shared>, %row: index, %column: index, %out: memref<8xf16>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %end = scf.for %i = %c0 to %c8 step %c1 iter_args(%slot = %c0) -> index {
      %below = arith.addi %row, %c8 : index
      %a = vector.load %buffer[%slot, %row, %column] : memref<2x64x64xf16, #shared>, vector<8xf16>
      %b = vector.load %buffer[%slot, %below, %column] : memref<2x64x64xf16, #shared>, vector<8xf16>
      %m = nvgpu.ldmatrix %buffer[%slot, %below, %column] {numTiles = 1 : i32, transpose = false} : memref<2x64x64xf16, #shared> -> vector<1x2xf16>
      %s = arith.addf %a, %b : vector<8xf16>
      vector.store %s, %out[%c0] : memref<8xf16>, vector<8xf16>
      %next = arith.subi %c1, %slot : index
      scf.yield %next : index
    }
    gpu.return
  }

  // Nothing is gained where the slot stays, or another index changes as well; global
  // memory has no slots.
  // CHECK-LABEL: gpu.func @stays
  // CHECK-NOT: memref.reinterpret_cast
  // CHECK: gpu.return
  gpu.func @stays(%buffer: memref<2x64x64xf16, #shared>, %memory: memref<2x64x64xf16>, %row: index, %column: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f16
    scf.for %i = %c0 to %c8 step %c1 {
      memref.store %zero, %buffer[%c1, %row, %column] : memref<2x64x64xf16, #shared>
      memref.store %zero, %buffer[%i, %row, %i] : memref<2x64x64xf16, #shared>
      memref.store %zero, %memory[%i, %row, %column] : memref<2x64x64xf16>
    }
    memref.store %zero, %buffer[%row, %row, %column] : memref<2x64x64xf16, #shared>
    gpu.return
  }
}
