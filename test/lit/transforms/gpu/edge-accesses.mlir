// RUN: formwork-opt %s --formwork-gpu-edge-accesses | FileCheck %s

// RUN: formwork-opt %s --formwork-gpu-edge-accesses > %t.once
// RUN: formwork-opt %t.once --formwork-gpu-edge-accesses | diff %t.once -

// A vector that starts at a multiple of 16 bytes is read at once where all of it is
// there, and element by element at the end of the buffer.

// CHECK-LABEL: func.func @any_size
// CHECK: gpu.launch
// CHECK: %[[AT:.*]] = affine.apply
// CHECK: %[[SIZE:.*]] = memref.dim %arg0, %{{.*}}
// CHECK: %[[END:.*]] = affine.apply
// CHECK: %[[INSIDE:.*]] = arith.cmpi sle, %[[END]], %[[SIZE]]
// CHECK: %[[READ:.*]] = scf.if %[[INSIDE]] -> (vector<4xf32>)
// CHECK: vector.transfer_read %arg0[%[[AT]]], %{{.*}} {in_bounds = [true]}
// CHECK: else
// CHECK: vector.transfer_read %arg0[%[[AT]]], %{{.*}} : memref<?xf32>, vector<4xf32>
// CHECK: scf.if
// CHECK-NEXT: vector.transfer_write %[[READ]], %arg1[%[[AT]]] {in_bounds = [true]}
// CHECK-NEXT: } else {
// CHECK-NEXT: vector.transfer_write %[[READ]], %arg1[%[[AT]]] : vector<4xf32>, memref<?xf32>
#times4 = affine_map<(d0) -> (d0 * 4)>
func.func @any_size(%x: memref<?xf32>, %y: memref<?xf32>, %blocks: index) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %at = affine.apply #times4(%tx)
    %v = vector.transfer_read %x[%at], %zero : memref<?xf32>, vector<4xf32>
    vector.transfer_write %v, %y[%at] : vector<4xf32>, memref<?xf32>
    gpu.terminator
  }
  return
}

// Rows of ten elements start at multiples of 8 bytes. No part of 8 bytes reaches
// over their end, so that nothing is left to guard element by element.

// CHECK-LABEL: func.func @rows_of_ten
// CHECK: gpu.launch
// CHECK: %[[FIRST:.*]] = scf.if %{{.*}} -> (vector<2xf32>)
// CHECK-NEXT: vector.transfer_read %arg0[{{.*}} {in_bounds = [true]} : memref<100x10xf32>, vector<2xf32>
// CHECK: else
// CHECK-NOT: transfer_read
// CHECK: vector.insert_strided_slice %[[FIRST]]
// CHECK: scf.if %{{.*}} -> (vector<2xf32>)
// CHECK: vector.insert_strided_slice
// CHECK-NOT: transfer_read
// CHECK: return
func.func @rows_of_ten(%x: memref<100x10xf32>, %y: memref<512xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c100, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c3, %sy = %c1, %sz = %c1) {
    %at = affine.apply #times4(%tx)
    %v = vector.transfer_read %x[%bx, %at], %zero : memref<100x10xf32>, vector<4xf32>
    vector.transfer_write %v, %y[%at] {in_bounds = [true]} : vector<4xf32>, memref<512xf32>
    gpu.terminator
  }
  return
}

// Nothing is known of where this one starts; that one is not in a kernel.

// CHECK-LABEL: func.func @unknown
// CHECK-NOT: scf.if
// CHECK: return
func.func @unknown(%x: memref<?xf32>, %y: memref<512xf32>, %at: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = vector.transfer_read %x[%at], %zero : memref<?xf32>, vector<4xf32>
    vector.transfer_write %v, %y[%c0] {in_bounds = [true]} : vector<4xf32>, memref<512xf32>
    gpu.terminator
  }
  %w = vector.transfer_read %x[%c0], %zero : memref<?xf32>, vector<4xf32>
  vector.transfer_write %w, %y[%c0] {in_bounds = [true]} : vector<4xf32>, memref<512xf32>
  return
}

// The other side of the branch reads another place: it is no tail of this one.

// CHECK-LABEL: func.func @other_place
// CHECK: scf.if
// CHECK-NEXT: vector.transfer_read %arg0[%{{.*}}], %{{.*}} {in_bounds = [true]}
// CHECK: } else {
// CHECK: %[[INSIDE:.*]] = arith.cmpi sle
// CHECK: scf.if %[[INSIDE]]
// CHECK: vector.transfer_read %arg0[%{{.*}}], %{{.*}} {in_bounds = [true]}
func.func @other_place(%x: memref<?xf32>, %y: memref<512xf32>, %first: i1) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %at = affine.apply #times4(%tx)
    %v = scf.if %first -> (vector<4xf32>) {
      %a = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<?xf32>, vector<4xf32>
      scf.yield %a : vector<4xf32>
    } else {
      %b = vector.transfer_read %x[%at], %zero : memref<?xf32>, vector<4xf32>
      scf.yield %b : vector<4xf32>
    }
    vector.transfer_write %v, %y[%at] {in_bounds = [true]} : vector<4xf32>, memref<512xf32>
    gpu.terminator
  }
  return
}
