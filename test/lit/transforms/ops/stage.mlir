// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// The operand is written to a buffer, and read back; the handles are to the write
// and the buffer, and the target stays.

// CHECK-LABEL: func @f
// CHECK: %[[B:.*]] = memref.alloc() {alignment = 16 : i64} : memref<8x5xf32, #gpu.address_space<workgroup>>
// CHECK: %[[V:.*]] = vector.transfer_read %arg0
// CHECK: vector.transfer_write %[[V]], %[[B]][%{{.*}}] {copy, in_bounds = [true, true]}
// CHECK: %[[W:.*]] = vector.transfer_read %[[B]]
// CHECK: vector.transpose %[[W]], [1, 0]
func.func @f(%x: memref<8x4xf32>, %y: memref<4x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %t = vector.transpose %v, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    vector.transfer_write %t, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["vector.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
    %pad = transform.param.constant 1 -> !transform.param<i64>
    %copies, %buffers = transform.formwork.stage %op operands = [0] padding = [%pad] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.annotate %copies "copy" : !transform.any_op
    transform.annotate %op "target" : !transform.any_op
    transform.yield
  }
}

// -----

// Two targets have one vector: it is written to one buffer, and each of them reads it.

// CHECK-LABEL: func @shared
// CHECK: %[[B:.*]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: vector.transfer_write %{{.*}}, %[[B]]
// CHECK: %[[W:.*]] = vector.transfer_read %[[B]]
// CHECK: vector.transpose %[[W]], [1, 0] {{.*}}
// CHECK-NOT: vector.transfer_write
// CHECK: %[[U:.*]] = vector.transfer_read %[[B]]
// CHECK: vector.transpose %[[U]], [0, 1]
func.func @shared(%x: memref<8x4xf32>, %y: memref<4x8xf32>, %z: memref<8x4xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %t = vector.transpose %v, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    %u = vector.transpose %v, [0, 1] : vector<8x4xf32> to vector<8x4xf32>
    vector.transfer_write %t, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    vector.transfer_write %u, %z[%c0, %c0] {in_bounds = [true, true]} : vector<8x4xf32>, memref<8x4xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["vector.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
    %copies, %buffers = transform.formwork.stage %op operands = [0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The buffer has the dimensions in another order.

// CHECK-LABEL: func @f
// CHECK: %[[B:.*]] = memref.alloc() {{.*}} memref<4x8xf32, #gpu.address_space<workgroup>>
// CHECK: vector.transfer_write %{{.*}}, %[[B]][%{{.*}}] {in_bounds = [true, true], permutation_map = #{{.*}}} : vector<8x4xf32>
// CHECK: vector.transfer_read %[[B]]{{.*}} vector<8x4xf32>
func.func @f(%x: memref<8x4xf32>, %y: memref<4x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %t = vector.transpose %v, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    vector.transfer_write %t, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["vector.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
    %copies, %buffers = transform.formwork.stage %op operands = [0] order = [1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Shared among threads: read along rows of one matrix, written along rows of the
// other, with the barrier between them.

// CHECK-LABEL: func @f
// CHECK: vector.transfer_read %arg0{{.*}} vector<1xf32>
// CHECK-NOT: gpu.barrier
// CHECK: vector.transfer_write {{.*}} memref<8x4xf32, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: vector.transfer_read {{.*}} memref<8x4xf32, #gpu.address_space<workgroup>>
// CHECK-NOT: gpu.barrier
// CHECK: vector.transfer_write {{.*}} memref<4x8xf32>
func.func @f(%x: memref<8x4xf32>, %y: memref<4x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %t = vector.transpose %v, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    vector.transfer_write %t, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["vector.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
    %copies, %buffers = transform.formwork.stage %op operands = [0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [32] width = [1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
