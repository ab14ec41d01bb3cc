// RUN: formwork-opt %s --transform-interpreter --canonicalize --cse --split-input-file | FileCheck %s

// A row that one warp has: shuffles, and one thread writes.

// CHECK-LABEL: func @warp
// CHECK: threads({{.*}}) in (%{{.*}} = %c32,
// CHECK: %[[T:.*]] = gpu.thread_id x upper_bound 32
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}()[%[[T]]]
// CHECK: vector.transfer_read %{{.*}}[%[[AT]]], {{.*}} vector<4xf32>
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.barrier
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[T]], %c0
// CHECK: scf.if %[[FIRST]]
// CHECK-NEXT: memref.store
func.func @warp(%x: memref<128xf32>, %y: memref<f32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<128xf32>, vector<128xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [0] : vector<128xf32> to f32
    memref.store %sum, %y[] : memref<f32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // The example of the documentation, with a parameter.
    %lanes = transform.param.constant 32 -> !transform.param<i64>
    %shared = transform.formwork.distribute_vectors %launch threads = [%lanes] : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}

// -----

// Rows by warps, columns by lanes; then columns across warps. Barriers stand
// between what one warp writes and another one reads, and only there.

// CHECK-LABEL: func @both
// CHECK: memref.alloc() {alignment = 16 : i64} : memref<256xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-4: vector.transfer_read {{.*}} vector<2xf32>
// CHECK-COUNT-20: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: vector.store {{.*}} vector<2xf32>
// CHECK: gpu.barrier
// CHECK-COUNT-4: vector.load {{.*}} vector<2xf32>
// CHECK-NOT: gpu.barrier
// CHECK: gpu.terminator
func.func @both(%x: memref<16x64xf32>, %rows: memref<16xf32>, %columns: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %ofRows = arith.constant dense<0.0> : vector<16xf32>
    %ofColumns = arith.constant dense<0.0> : vector<64xf32>
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x64xf32>, vector<16x64xf32>
    %r = vector.multi_reduction <add>, %v, %ofRows [1] : vector<16x64xf32> to vector<16xf32>
    %c = vector.multi_reduction <add>, %v, %ofColumns [0] : vector<16x64xf32> to vector<64xf32>
    vector.transfer_write %r, %rows[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
    vector.transfer_write %c, %columns[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [4, 32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// An accumulator stays in registers, in pieces, and is reduced behind the loop.
// Threads overwrite what they combine in a loop only after all have read it.

// CHECK-LABEL: func @loops
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<4xf32>)
// CHECK-NOT: gpu.
// CHECK: scf.yield %{{.*}} : vector<4xf32>
// CHECK: gpu.shuffle
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK: gpu.shuffle
// CHECK: scf.if
// CHECK: gpu.barrier
// CHECK: vector.load
// CHECK: gpu.barrier
// CHECK: }
func.func @loops(%x: memref<1024xf32>, %y: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %step = arith.constant 256 : index
    %end = arith.constant 1024 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<256xf32>
    %all = scf.for %i = %c0 to %end step %step iter_args(%acc = %none) -> (vector<256xf32>) {
      %v = vector.transfer_read %x[%i], %zero {in_bounds = [true]} : memref<1024xf32>, vector<256xf32>
      %next = arith.addf %acc, %v : vector<256xf32>
      scf.yield %next : vector<256xf32>
    }
    %sum = vector.multi_reduction <add>, %all, %zero [0] : vector<256xf32> to f32
    memref.store %sum, %y[%c0] : memref<4xf32>
    scf.for %j = %one to %four step %one {
      %at = arith.muli %j, %step : index
      %v = vector.transfer_read %x[%at], %zero {in_bounds = [true]} : memref<1024xf32>, vector<256xf32>
      %part = vector.multi_reduction <maxnumf>, %v, %zero [0] : vector<256xf32> to f32
      memref.store %part, %y[%j] : memref<4xf32>
    }
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [64] width = [4] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Masked reads: each thread masks what it has, and what is masked off does not
// count in a reduction.

// CHECK-LABEL: func @masked
// CHECK: %[[MASK:.*]] = vector.create_mask %{{.*}} : vector<4xi1>
// CHECK: vector.transfer_read {{.*}}, %[[MASK]] {in_bounds = [true]}
// CHECK: arith.select %[[MASK]], %{{.*}}, %{{.*}} : vector<4xi1>, vector<4xf32>
// CHECK-COUNT-5: gpu.shuffle
func.func @masked(%x: memref<?xf32>, %y: memref<f32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %n = memref.dim %x, %c0 : memref<?xf32>
    %mask = vector.create_mask %n : vector<128xi1>
    %v = vector.mask %mask { vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<?xf32>, vector<128xf32> } : vector<128xi1> -> vector<128xf32>
    %max = vector.mask %mask { vector.multi_reduction <maximumf>, %v, %zero [0] : vector<128xf32> to f32 } : vector<128xi1> -> f32
    memref.store %max, %y[] : memref<f32>
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

// -----

// A contraction: the threads share the loops of the result, and each has its sums
// in registers. A read that was hoisted out of the launch is done in it.

// CHECK-LABEL: func @contract
// CHECK-NOT: transfer_read
// CHECK: gpu.launch
// CHECK-COUNT-4: vector.transfer_read {{.*}} vector<2xf32>
// CHECK-COUNT-2: vector.transfer_read {{.*}} vector<4xf32>
// CHECK-COUNT-8: vector.fma {{.*}} : vector<2xf32>
// CHECK-NOT: vector.fma
// CHECK-COUNT-2: vector.transfer_write {{.*}} vector<2xf32>
func.func @contract(%A: memref<16x4xf32>, %B: memref<4x16xf32>, %C: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x4xf32>, vector<16x4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %none = arith.constant dense<0.0> : vector<16x16xf32>
    %b = vector.transfer_read %B[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x16xf32>, vector<4x16xf32>
    %c = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                          iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %a, %b, %none : vector<16x4xf32>, vector<4x16xf32> into vector<16x16xf32>
    vector.transfer_write %c, %C[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [8, 8, 1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Written and read again in another way: a barrier in between. Written where it
// was read, element by element: none.

// CHECK-LABEL: func @memory
// CHECK: vector.transfer_read
// CHECK-NOT: gpu.barrier
// CHECK: vector.transfer_write
// CHECK: gpu.barrier
// CHECK: vector.transfer_read
// CHECK-NOT: gpu.barrier
// CHECK: gpu.terminator
func.func @memory(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf32>, vector<64x64xf32>
    %d = arith.addf %v, %v : vector<64x64xf32>
    vector.transfer_write %d, %x[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    %t = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : memref<64x64xf32>, vector<64x64xf32>
    vector.transfer_write %t, %y[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
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

// Seven elements for 32 threads: what is behind the end is neither read nor
// written, and does not count.

// CHECK-LABEL: func @uneven
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[T:.*]], %c7
// CHECK: scf.if %[[IN]]
// CHECK-NEXT: vector.transfer_read {{.*}} vector<1xf32>
// CHECK: %[[OWN:.*]] = arith.select %[[IN]], %{{.*}}, %cst
// CHECK: vector.extract %[[OWN]][0]
// CHECK-COUNT-5: gpu.shuffle
// CHECK: scf.if %[[IN]]
// CHECK-NEXT: vector.transfer_write
func.func @uneven(%x: memref<7xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<7xf32>, vector<7xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [0] : vector<7xf32> to f32
    %all = vector.broadcast %sum : f32 to vector<7xf32>
    %part = arith.divf %v, %all : vector<7xf32>
    vector.transfer_write %part, %x[%c0] {in_bounds = [true]} : vector<7xf32>, memref<7xf32>
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

// -----

// A shuffle takes 32 bits: a narrow value travels in as many.

// CHECK-LABEL: func @narrow
// CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f16 to i16
// CHECK: %[[SENT:.*]] = arith.extui %[[BITS]] : i16 to i32
// CHECK: %[[GOT:.*]], %{{.*}} = gpu.shuffle xor %[[SENT]], {{.*}} : i32
// CHECK: %[[NARROW:.*]] = arith.trunci %[[GOT]] : i32 to i16
// CHECK: arith.bitcast %[[NARROW]] : i16 to f16
func.func @narrow(%x: memref<128xf16>, %y: memref<f16>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f16
    %v = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<128xf16>, vector<128xf16>
    %sum = vector.multi_reduction <add>, %v, %zero [0] : vector<128xf16> to f16
    memref.store %sum, %y[] : memref<f16>
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

// -----

// A row may start at any element: the first thread has the element at the last multiple of 32 bytes, which may be in front of the
// row. Only the first piece and the last may be outside; as an unsigned number, what is in front of the row is above its size.

// CHECK-LABEL: func @aligned
// CHECK: %[[THREAD:.*]] = gpu.thread_id x upper_bound 32
// CHECK: %[[FIRST:.*]] = affine.apply #{{.*}}[%[[ROW:.*]]]
// CHECK: %[[SHIFT:.*]] = arith.remui %[[FIRST]], %c8
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}[%[[THREAD]], %[[SHIFT]]]
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %c67
// CHECK: scf.if %[[IN]]
// CHECK-NEXT: vector.transfer_read %arg0[%[[ROW]], %[[AT]]]{{.*}} vector<1xf32>
// CHECK: vector.transfer_read %arg0{{.*}} vector<1xf32>
// CHECK: %[[LAST:.*]] = arith.cmpi slt, %{{.*}}, %c67
// CHECK: scf.if %[[LAST]]
// CHECK: scf.if %[[IN]]
// CHECK-NEXT: vector.transfer_read %arg1[%[[AT]]]
func.func @aligned(%x: memref<9x67xf32>, %w: memref<67xf32>) {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c9, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%bx, %c0], %zero {in_bounds = [true]} : memref<9x67xf32>, vector<67xf32>
    %u = vector.transfer_read %w[%c0], %zero {in_bounds = [true]} : memref<67xf32>, vector<67xf32>
    %p = arith.mulf %v, %u : vector<67xf32>
    vector.transfer_write %p, %x[%bx, %c0] {in_bounds = [true]} : vector<67xf32>, memref<9x67xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [32] align_rows : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Rows that are known to be aligned are shared as they are.

// CHECK-LABEL: func @alreadyAligned
// CHECK-NOT: arith.remui
// CHECK: return
func.func @alreadyAligned(%x: memref<9x64xf32>) {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c9, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%bx, %c0], %zero {in_bounds = [true]} : memref<9x64xf32>, vector<64xf32>
    %p = arith.negf %v : vector<64xf32>
    vector.transfer_write %p, %x[%bx, %c0] {in_bounds = [true]} : vector<64xf32>, memref<9x64xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [32] align_rows : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A row that starts anywhere, and weights that start at a sector: both are read 16
// bytes at a time. The four versions differ in how many elements lanes exchange.

// CHECK-LABEL: func @wide_rows
// CHECK: %[[FLAT:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [4012], strides: [1]
// CHECK: %[[SHIFT:.*]] = arith.remui %{{.*}}, %c4
// CHECK: %[[V0:.*]] = arith.cmpi eq, %[[SHIFT]], %c0
// CHECK-NEXT: scf.if %[[V0]]
// CHECK-NOT: gpu.shuffle
// CHECK: %[[V1:.*]] = arith.cmpi eq, %[[SHIFT]], %c1
// CHECK-NEXT: scf.if %[[V1]]
// CHECK: %[[OWN:.*]] = vector.transfer_read %arg1{{.*}} vector<4xf32>
// CHECK-NEXT: %[[LAST:.*]] = vector.extract %[[OWN]][3]
// CHECK: gpu.shuffle up %[[LAST]]
// CHECK: scf.if
// CHECK: vector.transfer_read %arg1{{.*}} vector<1xf32>
// CHECK: vector.transfer_write %{{.*}}, %[[FLAT]]{{.*}} vector<4xf32>, memref<4012xf32>
func.func @wide_rows(%x: memref<4x1003xf32>, %w: memref<1003xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%bx, %c0], %zero {in_bounds = [true]} : memref<4x1003xf32>, vector<1003xf32>
    %f = vector.transfer_read %w[%c0], %zero {in_bounds = [true]} : memref<1003xf32>, vector<1003xf32>
    %d = arith.mulf %v, %f : vector<1003xf32>
    vector.transfer_write %d, %x[%bx, %c0] {in_bounds = [true]} : vector<1003xf32>, memref<4x1003xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [64] wide_rows : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The view of a buffer in one dimension is as long as its open number of rows says.

// CHECK-LABEL: func @open_rows
// CHECK: %[[ROWS:.*]] = memref.dim %[[X:.*]], %c0
// CHECK: %[[SIZE:.*]] = affine.apply #{{.*}}()[%[[ROWS]]]
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%[[SIZE]]], strides: [1] : memref<?x1003xf32> to memref<?xf32>
// CHECK: vector.transfer_read %{{.*}} memref<?xf32>, vector<4xf32>
func.func @open_rows(%x: memref<?x1003xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%bx, %c0], %zero {in_bounds = [true]} : memref<?x1003xf32>, vector<1003xf32>
    %d = arith.mulf %v, %v : vector<1003xf32>
    vector.transfer_write %d, %x[%bx, %c0] {in_bounds = [true]} : vector<1003xf32>, memref<?x1003xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [64] wide_rows : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
