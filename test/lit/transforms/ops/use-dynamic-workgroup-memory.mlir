// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// Each buffer is a part of one, at a multiple of 16 bytes, and the launch asks for
// all of them.

// CHECK-LABEL: func @f
// CHECK: %[[BYTES:.*]] = arith.constant 288 : i32
// CHECK: gpu.launch {{.*}} dynamic_shared_memory_size %[[BYTES]]
// CHECK: %[[ALL:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CHECK: %[[FIRST:.*]] = arith.constant 0 : index
// CHECK: %[[A:.*]] = memref.view %[[ALL]][%[[FIRST]]][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<5xf32, #gpu.address_space<workgroup>>
// CHECK: %[[SECOND:.*]] = arith.constant 32 : index
// CHECK: %[[B:.*]] = memref.view %[[ALL]][%[[SECOND]]][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<2x64xf16, #gpu.address_space<workgroup>>
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: memref.store %{{.*}}, %[[B]]
// CHECK-NOT: memref.alloc
func.func @f(%x: f32, %y: f16) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<5xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<2x64xf16, #gpu.address_space<workgroup>>
    memref.store %x, %a[%tx] : memref<5xf32, #gpu.address_space<workgroup>>
    memref.store %y, %b[%tx, %tx] : memref<2x64xf16, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.use_dynamic_workgroup_memory %launch : (!transform.any_op) -> ()
    transform.annotate %launch "still_there" : !transform.any_op
    transform.yield
  }
}

// -----

// Memory that the launch asked for stays in front. A kernel without buffers stays as it is.

// CHECK-LABEL: func @g
// CHECK: %[[BYTES:.*]] = arith.constant 48 : i32
// CHECK: gpu.launch {{.*}} dynamic_shared_memory_size %[[BYTES]]
// CHECK: %[[OFFSET:.*]] = arith.constant 32 : index
// CHECK: memref.view %{{.*}}[%[[OFFSET]]][]
// CHECK: gpu.launch
// CHECK-NOT: dynamic_shared_memory
// CHECK: return
func.func @g(%x: f32) {
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) dynamic_shared_memory_size %c20 {
    %a = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
    memref.store %x, %a[%tx] : memref<4xf32, #gpu.address_space<workgroup>>
    memref.dealloc %a : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.use_dynamic_workgroup_memory %launch : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// Buffers that are in use one after the other have the same bytes, with a barrier
// between them. Those of one loop do not, nor does one whose address is taken.

// CHECK-LABEL: func @one_after_the_other
// CHECK: %[[BYTES:.*]] = arith.constant 1536 : i32
// CHECK: gpu.launch {{.*}} dynamic_shared_memory_size %[[BYTES]]
// CHECK-DAG: %[[A:.*]] = memref.view %{{.*}}[%c0{{.*}}][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xf32
// CHECK-DAG: %[[B:.*]] = memref.view %{{.*}}[%c512{{.*}}][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xf32
// CHECK-DAG: %[[C:.*]] = memref.view %{{.*}}[%c0{{.*}}][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xf32
// CHECK-DAG: %[[KEPT:.*]] = memref.view %{{.*}}[%c1024{{.*}}][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xf32
// CHECK: scf.for
// CHECK: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.store %{{.*}}, %[[C]]
func.func @one_after_the_other(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() {a} : memref<128xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() {b} : memref<128xf32, #gpu.address_space<workgroup>>
    %kept = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
    %c = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %address = memref.extract_aligned_pointer_as_index %kept : memref<128xf32, #gpu.address_space<workgroup>> -> index
    scf.for %i = %c0 to %c4 step %c1 {
      memref.store %x, %a[%i] : memref<128xf32, #gpu.address_space<workgroup>>
      %y = memref.load %b[%i] : memref<128xf32, #gpu.address_space<workgroup>>
    }
    memref.store %x, %c[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.use_dynamic_workgroup_memory %launch reuse : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// Copies may be under way, so a wait stands in front of the barrier. A barrier that is
// there already is enough for others.

// CHECK-LABEL: func @ordered
// CHECK: nvgpu.device_async_copy
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.store
// CHECK-NEXT: memref.load
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.store
// CHECK-NEXT: memref.store
// CHECK-NEXT: gpu.terminator
func.func @ordered(%x: f32, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
    %c = memref.alloc() : memref<8xf32, #gpu.address_space<workgroup>>
    %copy = nvgpu.device_async_copy %m[%c0], %a[%c0], 4 : memref<4xf32> to memref<4xf32, #gpu.address_space<workgroup>>
    memref.store %x, %b[%tx] : memref<4xf32, #gpu.address_space<workgroup>>
    %y = memref.load %b[%tx] : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %y, %c[%tx] : memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %y, %c[%c1] : memref<8xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.use_dynamic_workgroup_memory %launch reuse : (!transform.any_op) -> ()
    transform.yield
  }
}
