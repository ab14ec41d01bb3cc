// Which thread has which elements, where a kernel leaves a choice.
// RUN: formwork-opt %s --transform-interpreter --canonicalize --cse --split-input-file | FileCheck %s

// The largest access decides which elements are neighbours: not the column, which is
// read along the rows of the result, but the result.

// CHECK-LABEL: func @outer
// CHECK: vector.transfer_write {{.*}} : vector<4xf32>, memref<8x128xf32>
func.func @outer(%a: memref<8xf32>, %b: memref<128xf32>, %c: memref<8x128xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %u = vector.transfer_read %a[%c0], %zero {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
    %v = vector.transfer_read %b[%c0], %zero {in_bounds = [true]} : memref<128xf32>, vector<128xf32>
    %w = vector.broadcast %u : vector<8xf32> to vector<128x8xf32>
    %columns = vector.transpose %w, [1, 0] : vector<128x8xf32> to vector<8x128xf32>
    %rows = vector.broadcast %v : vector<128xf32> to vector<8x128xf32>
    %product = arith.mulf %columns, %rows : vector<8x128xf32>
    vector.transfer_write %product, %c[%c0, %c0] {in_bounds = [true, true]} : vector<8x128xf32>, memref<8x128xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [256] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Elements of two types: the larger ones fill 16 bytes, so that no lane leaves a gap.
// A boolean takes a byte.

// CHECK-LABEL: func @mixed
// CHECK: vector.transfer_read {{.*}} : memref<4x256xi1>, vector<4xi1>
// CHECK: vector.transfer_read {{.*}} : memref<4x256xf16>, vector<4xf16>
// CHECK: vector.transfer_write {{.*}} : vector<4xf32>, memref<4x256xf32>
func.func @mixed(%m: memref<4x256xi1>, %a: memref<4x256xf16>, %b: memref<4x256xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %false = arith.constant false
    %zero = arith.constant 0.0 : f16
    %none = arith.constant dense<0.0> : vector<4x256xf32>
    %is = vector.transfer_read %m[%c0, %c0], %false {in_bounds = [true, true]} : memref<4x256xi1>, vector<4x256xi1>
    %v = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x256xf16>, vector<4x256xf16>
    %w = arith.extf %v : vector<4x256xf16> to vector<4x256xf32>
    %r = arith.select %is, %w, %none : vector<4x256xi1>, vector<4x256xf32>
    vector.transfer_write %r, %b[%c0, %c0] {in_bounds = [true, true]} : vector<4x256xf32>, memref<4x256xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [256] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A row has pieces of 16 bytes for four threads only: the next loop has the others, as
// far as it has steps for them, and then the outermost one.

// CHECK: #[[COLUMN:.*]] = affine_map<()[s0] -> (s0 * 4 - (s0 floordiv 4) * 16)>
// CHECK-LABEL: func @short_rows
// CHECK-COUNT-2: vector.transfer_read {{.*}} : memref<8x16x16xf32>, vector<4xf32>
// CHECK-NOT: vector.transfer_read
func.func @short_rows(%a: memref<8x16x16xf32>, %b: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0, %c0, %c0], %zero {in_bounds = [true, true, true]} : memref<8x16x16xf32>, vector<8x16x16xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [0, 1, 2] : vector<8x16x16xf32> to f32
    memref.store %sum, %b[%c0] : memref<1xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [256] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A buffer that one vector fills, and that is copied and read as a whole, is no buffer.

// CHECK-LABEL: func @temporary
// CHECK: gpu.launch
// CHECK-NOT: memref.alloc
// CHECK: %[[X:.*]] = vector.transfer_read {{.*}} : memref<64x128xf32>, vector<4xf32>
// CHECK: vector.transfer_write %[[X]], {{.*}} : vector<4xf32>, memref<1x128xf32
// CHECK: %[[Y:.*]] = arith.addf %[[X]], %[[X]]
// CHECK: vector.transfer_write %[[Y]], {{.*}} : vector<4xf32>, memref<64x128xf32>
// CHECK-NOT: memref.copy
func.func @temporary(%a: memref<64x128xf32>, %b: memref<64x128xf32>, %c: memref<64x128xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c64, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%bx, %c0], %zero {in_bounds = [true]} : memref<64x128xf32>, vector<128xf32>
    %row = memref.alloc() : memref<1x128xf32>
    vector.transfer_write %v, %row[%c0, %c0] {in_bounds = [true]} : vector<128xf32>, memref<1x128xf32>
    %to = memref.subview %b[%bx, 0] [1, 128] [1, 1] : memref<64x128xf32> to memref<1x128xf32, strided<[128, 1], offset: ?>>
    memref.copy %row, %to : memref<1x128xf32> to memref<1x128xf32, strided<[128, 1], offset: ?>>
    %w = vector.transfer_read %row[%c0, %c0], %zero {in_bounds = [true]} : memref<1x128xf32>, vector<128xf32>
    %sum = arith.addf %w, %v : vector<128xf32>
    vector.transfer_write %sum, %c[%bx, %c0] {in_bounds = [true]} : vector<128xf32>, memref<64x128xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
