// A piece of a vector at the edge of a buffer is all inside or all outside where it
// starts at a multiple of its width, which divides the size: then one comparison
// decides, and the access is as wide as any other. Else each element is asked for.
// RUN: formwork-opt %s --transform-interpreter --split-input-file | FileCheck %s

// A buffer of 1000 elements a row, and a tile of it.

// CHECK-LABEL: func @divides
// CHECK: %[[IS:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK: scf.if %[[IS]] -> (vector<4xf32>)
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true]} : memref<16x1000xf32>, vector<4xf32>
// CHECK: scf.if
// CHECK: vector.transfer_write {{.*}} {in_bounds = [true]} : vector<4xf32>, memref<16x?xf32, {{.*}}>
func.func @divides(%a: memref<16x1000xf32>, %b: memref<16x1000xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %i = affine.apply affine_map<(d0) -> (d0 * 128)>(%bx)
    %n = affine.min affine_map<(d0) -> (d0 * -128 + 1000, 128)>(%bx)
    %v = vector.transfer_read %a[%c0, %i], %zero {in_bounds = [true, false]} : memref<16x1000xf32>, vector<16x128xf32>
    %tile = memref.subview %b[0, %i] [16, %n] [1, 1] : memref<16x1000xf32> to memref<16x?xf32, strided<[1000, 1], offset: ?>>
    vector.transfer_write %v, %tile[%c0, %c0] {in_bounds = [true, false]} : vector<16x128xf32>, memref<16x?xf32, strided<[1000, 1], offset: ?>>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [128] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A prime size.

// CHECK-LABEL: func @prime
// CHECK-NOT: scf.if
// CHECK: vector.transfer_read {{.*}} : memref<16x997xf32>, vector<4xf32>
// CHECK-NOT: in_bounds = [true]
func.func @prime(%a: memref<16x997xf32>, %b: memref<16x997xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %i = affine.apply affine_map<(d0) -> (d0 * 128)>(%bx)
    %v = vector.transfer_read %a[%c0, %i], %zero {in_bounds = [true, false]} : memref<16x997xf32>, vector<16x128xf32>
    vector.transfer_write %v, %b[%c0, %i] {in_bounds = [true, false]} : vector<16x128xf32>, memref<16x997xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [128] width = [4] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A size that is known when it runs, and a tile that starts anywhere.

// CHECK-LABEL: func @unknown
// CHECK-NOT: scf.if
// CHECK: vector.transfer_read {{.*}} : memref<16x?xf32>, vector<4xf32>
// CHECK-NOT: scf.if
// CHECK: vector.transfer_write {{.*}} : vector<4xf32>, memref<16x1000xf32>
// CHECK-NOT: in_bounds = [true]
func.func @unknown(%a: memref<16x?xf32>, %b: memref<16x1000xf32>, %at: index) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %i = affine.apply affine_map<(d0) -> (d0 * 128)>(%bx)
    %j = affine.apply affine_map<(d0)[s0] -> (d0 * 128 + s0)>(%bx)[%at]
    %v = vector.transfer_read %a[%c0, %i], %zero {in_bounds = [true, false]} : memref<16x?xf32>, vector<16x128xf32>
    vector.transfer_write %v, %b[%c0, %j] {in_bounds = [true, false]} : vector<16x128xf32>, memref<16x1000xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [128] width = [4] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Without a width, neighbouring threads take one element each where no more is aligned.

// CHECK-LABEL: func @narrow
// CHECK: vector.transfer_read {{.*}} : memref<16x997xf32>, vector<1xf32>
func.func @narrow(%a: memref<16x997xf32>, %b: memref<16x997xf32>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %i = affine.apply affine_map<(d0) -> (d0 * 128)>(%bx)
    %v = vector.transfer_read %a[%c0, %i], %zero {in_bounds = [true, false]} : memref<16x997xf32>, vector<16x128xf32>
    vector.transfer_write %v, %b[%c0, %i] {in_bounds = [true, false]} : vector<16x128xf32>, memref<16x997xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [128] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
