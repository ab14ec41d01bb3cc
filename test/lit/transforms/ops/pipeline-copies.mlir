// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// Three buffers: two steps are copied in front, and one barrier a step is left. The
// slot that is filled in the next step is the one that is read now.

// CHECK-LABEL: func @f
// CHECK: %[[B:.*]] = memref.alloc() {alignment = 16 : i64} : memref<3x64xf32, #gpu.address_space<workgroup>>
// CHECK: nvgpu.device_async_copy %arg0[%{{.*}}, %{{.*}}], %[[B]][%c0{{.*}}, %{{.*}}], 4 {bypassL1} : memref<128x64xf32> to memref<3x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK: nvgpu.device_async_copy %arg0[%{{.*}}, %{{.*}}], %[[B]][%c1{{.*}}, %{{.*}}], 4 {bypassL1}
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[READ:.*]] = %{{.*}}, %[[FILL:.*]] = %{{.*}}) -> (f32, i32, i32)
// CHECK-DAG: %[[FROM:.*]] = arith.index_castui %[[READ]] : i32 to index
// CHECK-DAG: %[[TO:.*]] = arith.index_castui %[[FILL]] : i32 to index
// CHECK: nvvm.cp.async.wait.group 1
// CHECK-NEXT: gpu.barrier
// CHECK: %[[AHEAD:.*]] = affine.apply {{.*}}(%[[I]])
// CHECK: %[[IS:.*]] = arith.cmpi slt, %[[AHEAD]]
// CHECK: scf.if %[[IS]] {
// CHECK:   nvgpu.device_async_copy %arg0[%[[AHEAD]], %{{.*}}], %[[B]][%[[TO]], %{{.*}}], 4 {bypassL1}
// CHECK: }
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK: memref.load %[[B]][%[[FROM]], %{{.*}}]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[READ]] : f32, i32, i32
// CHECK-NOT: gpu.barrier
// CHECK-NOT: vector.transfer_write
func.func @f(%x: memref<128x64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %buffer = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%acc = %zero) -> (f32) {
      %place = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %v = vector.transfer_read %x[%i, %place], %zero {in_bounds = [true]} : memref<128x64xf32>, vector<4xf32>
      vector.transfer_write %v, %buffer[%place] {in_bounds = [true]} : vector<4xf32>, memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = affine.apply affine_map<(d0) -> (63 - d0)>(%tx)
      %w = memref.load %buffer[%other] : memref<64xf32, #gpu.address_space<workgroup>>
      %next = arith.addf %acc, %w : f32
      gpu.barrier
      scf.yield %next : f32
    }
    memref.store %sum, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %depth = transform.param.constant 3 -> !transform.param<i64>
    %new = transform.formwork.pipeline_copies %loop depth = [%depth] : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    transform.annotate %new "pipelined" : !transform.any_op
    transform.yield
  }
}

// -----

// A loop of one step: the second group in front is empty. In a loop around it, the
// threads meet before they fill what some may still read.

// CHECK-LABEL: func @f
// CHECK: scf.for
// CHECK-NEXT: gpu.barrier
// CHECK: nvgpu.device_async_copy
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NOT: nvgpu.device_async_copy
// CHECK: nvvm.cp.async.commit.group
// CHECK-NOT: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 1
func.func @f(%x: memref<128x64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %buffer = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
    %all = scf.for %o = %c0 to %c16 step %c1 iter_args(%acc0 = %zero) -> (f32) {
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%acc = %acc0) -> (f32) {
      %place = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %v = vector.transfer_read %x[%i, %place], %zero {in_bounds = [true]} : memref<128x64xf32>, vector<4xf32>
      vector.transfer_write %v, %buffer[%place] {in_bounds = [true]} : vector<4xf32>, memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = affine.apply affine_map<(d0) -> (63 - d0)>(%tx)
      %w = memref.load %buffer[%other] : memref<64xf32, #gpu.address_space<workgroup>>
      %next = arith.addf %acc, %w : f32
      gpu.barrier
      scf.yield %next : f32
    }
    scf.yield %sum : f32
    }
    memref.store %all, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %inner, %outer = transform.split_handle %loop : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %new = transform.formwork.pipeline_copies %inner depth = [3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Reads of the loop elsewhere come before the threads go on: a barrier behind the loop stands for
// those in it. Copies of 8 bytes go through the first cache.

// CHECK-LABEL: func @f
// CHECK: scf.for
// CHECK: nvgpu.device_async_copy {{.*}}, 2 : memref<128x64xf32>
// CHECK: memref.load %arg1
// CHECK: scf.yield
// CHECK: }
// CHECK-NEXT: gpu.barrier
// CHECK: memref.store
func.func @f(%x: memref<128x64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %buffer = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%acc = %zero) -> (f32) {
      %place = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %v = vector.transfer_read %x[%i, %place], %zero {in_bounds = [true]} : memref<128x64xf32>, vector<2xf32>
      vector.transfer_write %v, %buffer[%place] {in_bounds = [true]} : vector<2xf32>, memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = affine.apply affine_map<(d0) -> (63 - d0)>(%tx)
      %w = memref.load %buffer[%other] : memref<64xf32, #gpu.address_space<workgroup>>
      %u = memref.load %y[%other] : memref<64xf32>
      %s = arith.addf %u, %w : f32
      %next = arith.addf %acc, %s : f32
      gpu.barrier
      scf.yield %next : f32
    }
    memref.store %sum, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %new = transform.formwork.pipeline_copies %loop depth = [3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A tile that is not full: what is behind the end of the buffer is copied as zeros.
// Rows of 64 elements have all four of a copy or none; of rows of 61, some copies have
// fewer. The view is aligned as what it is a view of.

// CHECK-LABEL: func @boundary
// CHECK: scf.for
// CHECK: %[[ROW:.*]] = arith.cmpi slt, %{{.*}}, %arg2
// CHECK: %[[COUNT:.*]] = arith.select %[[ROW]], %c4{{.*}}, %c0{{.*}} : index
// CHECK: nvgpu.device_async_copy %{{.*}}, %{{.*}}[%{{.*}}], 4, %[[COUNT]] {bypassL1} : memref<?x64xf32, strided<[64, 1], offset: ?>>
// CHECK: %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %c64
// CHECK: %[[ALL:.*]] = arith.select %[[IN]], %c4{{.*}}, %c0{{.*}} : index
// CHECK: nvgpu.device_async_copy %arg0[{{.*}}, 4, %[[ALL]] {bypassL1} : memref<128x64xf32>
// CHECK: %[[REST:.*]] = arith.subi %c61{{.*}}, %{{.*}} : index
// CHECK: %[[MOST:.*]] = arith.minsi %[[REST]], %c4
// CHECK: %[[SOME:.*]] = arith.maxsi %{{.*}}, %[[MOST]] : index
// CHECK: nvgpu.device_async_copy {{.*}}, 4, %[[SOME]] {bypassL1} : memref<128x61xf32, strided<[64, 1]>>
// CHECK-NOT: vector.transfer_write
func.func @boundary(%x: memref<128x64xf32>, %y: memref<64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %zeros = arith.constant dense<0.0> : vector<4xf32>
    %a = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
    %c = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
    %rows = memref.subview %x[%bx, 0] [%n, 64] [1, 1] : memref<128x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    %short = memref.subview %x[0, 0] [128, 61] [1, 1] : memref<128x64xf32> to memref<128x61xf32, strided<[64, 1]>>
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%acc = %zero) -> (f32) {
      %place = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %is = arith.cmpi slt, %i, %n : index
      %u = scf.if %is -> (vector<4xf32>) {
        %read = vector.transfer_read %rows[%i, %place], %zero {in_bounds = [true]} : memref<?x64xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
        scf.yield %read : vector<4xf32>
      } else {
        scf.yield %zeros : vector<4xf32>
      }
      vector.transfer_write %u, %a[%place] {in_bounds = [true]} : vector<4xf32>, memref<64xf32, #gpu.address_space<workgroup>>
      %v = vector.transfer_read %x[%i, %place], %zero {in_bounds = [false]} : memref<128x64xf32>, vector<4xf32>
      vector.transfer_write %v, %b[%place] {in_bounds = [true]} : vector<4xf32>, memref<64xf32, #gpu.address_space<workgroup>>
      %w = vector.transfer_read %short[%i, %place], %zero {in_bounds = [false]} : memref<128x61xf32, strided<[64, 1]>>, vector<4xf32>
      vector.transfer_write %w, %c[%place] {in_bounds = [true]} : vector<4xf32>, memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = affine.apply affine_map<(d0) -> (63 - d0)>(%tx)
      %la = memref.load %a[%other] : memref<64xf32, #gpu.address_space<workgroup>>
      %lb = memref.load %b[%other] : memref<64xf32, #gpu.address_space<workgroup>>
      %lc = memref.load %c[%other] : memref<64xf32, #gpu.address_space<workgroup>>
      %sa = arith.addf %acc, %la : f32
      %sb = arith.addf %sa, %lb : f32
      %next = arith.addf %sb, %lc : f32
      gpu.barrier
      scf.yield %next : f32
    }
    memref.store %sum, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %new = transform.formwork.pipeline_copies %loop depth = [2] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Rows of 6 elements are aligned to 8 bytes: two copies for each of 16, of which the
// second one starts two elements later and copies zeros behind the end.

// CHECK-LABEL: func @narrow
// CHECK: scf.for
// CHECK: scf.if
// CHECK: nvgpu.device_async_copy %arg0[%{{.*}}, %[[FIRST:.*]]], %{{.*}}, 2, %{{.*}} : memref<128x6xf32>
// CHECK: %[[LATER:.*]] = arith.addi %[[FIRST]], %c2
// CHECK: %[[LATER:.*]] = arith.addi %[[FIRST]], %c2
// CHECK: %[[REST:.*]] = arith.subi %{{.*}}, %c2{{.*}} : index
// CHECK: %[[FEWER:.*]] = arith.minsi %[[REST]], %c2
// CHECK: %[[SECOND:.*]] = arith.maxsi {{.*}}%[[FEWER]]
// CHECK: nvgpu.device_async_copy %arg0[%{{.*}}, %[[LATER]]], %{{.*}}, 2, %[[SECOND]] : memref<128x6xf32>
// CHECK-NEXT: }
func.func @narrow(%x: memref<128x6xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %buffer = memref.alloc() {alignment = 16 : i64} : memref<8xf32, #gpu.address_space<workgroup>>
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%acc = %zero) -> (f32) {
      %place = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %v = vector.transfer_read %x[%i, %place], %zero : memref<128x6xf32>, vector<4xf32>
      vector.transfer_write %v, %buffer[%place] {in_bounds = [true]} : vector<4xf32>, memref<8xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = affine.apply affine_map<(d0) -> (7 - d0)>(%tx)
      %w = memref.load %buffer[%other] : memref<8xf32, #gpu.address_space<workgroup>>
      %next = arith.addf %acc, %w : f32
      gpu.barrier
      scf.yield %next : f32
    }
    memref.store %sum, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %new = transform.formwork.pipeline_copies %loop depth = [2] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
