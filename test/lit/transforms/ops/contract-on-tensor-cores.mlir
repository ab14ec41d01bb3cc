// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// The decision is an attribute, and the handle stays. One warp: two instructions,
// the first of which has the accumulators of the read, the second those of the
// first.

// CHECK-LABEL: func @f16
// CHECK-DAG: %[[A:.*]] = memref.alloc() {{.*}} : memref<16x40xf16, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[B:.*]] = memref.alloc() {{.*}} : memref<32x8xf16, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: nvgpu.ldmatrix %[[A]][%{{.*}}, %{{.*}}] {numTiles = 4 : i32, transpose = false} : memref<16x40xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK: nvgpu.ldmatrix %[[B]][%{{.*}}, %{{.*}}] {numTiles = 2 : i32, transpose = true} : memref<32x8xf16, #gpu.address_space<workgroup>> -> vector<2x2xf16>
// CHECK: %[[FIRST:.*]] = nvvm.mma.sync
// CHECK-SAME: shape = #nvvm.shape<m = 16, n = 8, k = 16>
// CHECK: %[[SUM:.*]] = llvm.extractvalue %[[FIRST]][0]
// CHECK: nvgpu.ldmatrix %[[A]]
// CHECK: nvvm.mma.sync {{.*}} C[%[[SUM]],
// CHECK-NOT: nvvm.mma.sync
// CHECK-NOT: vector.contract {
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f16(%x: memref<16x32xf16>, %y: memref<32x8xf16>, %z: memref<16x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %p = arith.constant 0.0 : f16
    %q = arith.constant 0.0 : f32
    %a = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x32xf16>, vector<16x32xf16>
    %b = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : memref<32x8xf16>, vector<32x8xf16>
    %c = vector.transfer_read %z[%c0, %c0], %q {in_bounds = [true, true]} : memref<16x8xf32>, vector<16x8xf32>
    %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<16x32xf16>, vector<32x8xf16> into vector<16x8xf32>
    vector.transfer_write %r, %z[%c0, %c0] {in_bounds = [true, true]} : vector<16x8xf32>, memref<16x8xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["vector.contract"]} in %root : (!transform.any_op) -> !transform.any_op
    %wa, %ba = transform.formwork.stage %op operands = [0] padding = [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %wb, %bb = transform.formwork.stage %op operands = [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %one = transform.param.constant 1 -> !transform.param<i64>
    transform.formwork.contract_on_tensor_cores %op warps = [%one, 1] : (!transform.any_op, !transform.param<i64>) -> ()
    transform.annotate %op "still_there" : !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// tf32: there is no instruction that transposes 32 bits, so the right operand is
// loaded element by element; each element is rounded.

// CHECK-LABEL: func @tf32
// CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = false} : memref<16x12xf32, #gpu.address_space<workgroup>> -> vector<4x1xf32>
// CHECK-COUNT-4: nvvm.convert.float.to.tf32 {{.*}} {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK: memref.load
// CHECK: nvvm.convert.float.to.tf32
// CHECK: memref.load
// CHECK: nvvm.convert.float.to.tf32
// CHECK: nvvm.mma.sync
// CHECK-SAME: multiplicandAPtxType = #nvvm.mma_type<tf32>
// CHECK-SAME: shape = #nvvm.shape<m = 16, n = 8, k = 8>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @tf32(%x: memref<16x8xf32>, %y: memref<8x8xf32>, %z: memref<16x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %p = arith.constant 0.0 : f32
    %q = arith.constant 0.0 : f32
    %a = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x8xf32>, vector<16x8xf32>
    %b = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : memref<8x8xf32>, vector<8x8xf32>
    %c = vector.transfer_read %z[%c0, %c0], %q {in_bounds = [true, true]} : memref<16x8xf32>, vector<16x8xf32>
    %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<16x8xf32>, vector<8x8xf32> into vector<16x8xf32>
    vector.transfer_write %r, %z[%c0, %c0] {in_bounds = [true, true]} : vector<16x8xf32>, memref<16x8xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["vector.contract"]} in %root : (!transform.any_op) -> !transform.any_op
    %wa, %ba = transform.formwork.stage %op operands = [0] padding = [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %wb, %bb = transform.formwork.stage %op operands = [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %one = transform.param.constant 1 -> !transform.param<i64>
    transform.formwork.contract_on_tensor_cores %op warps = [%one, 1] round_to_tf32 : (!transform.any_op, !transform.param<i64>) -> ()
    transform.annotate %op "still_there" : !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// bf16, the right operand by columns: no matrix is transposed, and the place of each
// unit of a swizzled row follows from the row. The layout is gone where it is done.

// CHECK-LABEL: func @bf16_transposed
// CHECK: memref.alloc() {alignment = 16 : i64} : memref<16x32xbf16, #gpu.address_space<workgroup>>
// CHECK: arith.xori
// CHECK: vector.transfer_write {{.*}} : vector<8xbf16>, memref<16x32xbf16, #gpu.address_space<workgroup>>
// CHECK: arith.xori
// CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 2 : i32, transpose = false} : memref<16x32xbf16, #gpu.address_space<workgroup>> -> vector<2x2xbf16>
// CHECK: vector.bitcast {{.*}} : vector<2xbf16> to vector<1xi32>
// CHECK: nvvm.mma.sync
// CHECK-SAME: multiplicandAPtxType = #nvvm.mma_type<bf16>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @bf16_transposed(%x: memref<16x32xbf16>, %y: memref<16x32xbf16>, %z: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %p = arith.constant 0.0 : bf16
    %q = arith.constant 0.0 : f32
    %a = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x32xbf16>, vector<16x32xbf16>
    %b = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x32xbf16>, vector<16x32xbf16>
    %c = vector.transfer_read %z[%c0, %c0], %q {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
    %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<16x32xbf16>, vector<16x32xbf16> into vector<16x16xf32>
    vector.transfer_write %r, %z[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["vector.contract"]} in %root : (!transform.any_op) -> !transform.any_op
    %wa, %ba = transform.formwork.stage %op operands = [0] padding = [8] swizzle = [0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %yes = transform.param.constant 1 -> !transform.param<i64>
    %wb, %bb = transform.formwork.stage %op operands = [1] swizzle = [%yes] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %one = transform.param.constant 1 -> !transform.param<i64>
    transform.formwork.contract_on_tensor_cores %op warps = [%one, 2] : (!transform.any_op, !transform.param<i64>) -> ()
    transform.annotate %op "still_there" : !transform.any_op
    %shared = transform.formwork.distribute_vectors %launch threads = [64] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A product of what another product has left in registers: its matrices are the ones
// that the lanes have, of two neighbours each, and only the right operand is read.

// CHECK-LABEL: func @chained
// CHECK: nvvm.mma.sync
// CHECK: %[[FIRST:.*]] = vector.from_elements
// CHECK-NOT: numTiles = 4 : i32, transpose = false
// CHECK: %[[NARROW:.*]] = arith.truncf {{.*}} : vector<2xf32> to vector<2xf16>
// CHECK-NOT: numTiles = 4 : i32, transpose = false
// CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 2 : i32, transpose = true} : memref<16x8xf16
// CHECK: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @chained(%x: memref<16x16xf16>, %y: memref<16x16xf16>, %v: memref<16x8xf16>, %z: memref<16x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %p = arith.constant 0.0 : f16
    %sums = arith.constant dense<0.0> : vector<16x16xf32>
    %more = arith.constant dense<0.0> : vector<16x8xf32>
    %a = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %b = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %r = vector.contract {first, indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %sums : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    %w = arith.truncf %r : vector<16x16xf32> to vector<16x16xf16>
    %d = vector.transfer_read %v[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x8xf16>, vector<16x8xf16>
    %s = vector.contract {second, indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %w, %d, %more : vector<16x16xf16>, vector<16x8xf16> into vector<16x8xf32>
    vector.transfer_write %s, %z[%c0, %c0] {in_bounds = [true, true]} : vector<16x8xf32>, memref<16x8xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %first = transform.structured.match attributes {first} in %root : (!transform.any_op) -> !transform.any_op
    %second = transform.structured.match attributes {second} in %root : (!transform.any_op) -> !transform.any_op
    %w, %b = transform.formwork.stage %first operands = [0, 1] padding = [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %w2, %b2 = transform.formwork.stage %second operands = [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.formwork.contract_on_tensor_cores %first warps = [1, 1] : (!transform.any_op) -> ()
    transform.formwork.contract_on_tensor_cores %second warps = [1, 1] : (!transform.any_op) -> ()
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The loop changes the right operand only, so the left one is loaded in front of it,
// behind a barrier of its own. A left operand that registers do not suffice for is
// loaded at each step.

// CHECK-LABEL: func @resident
// CHECK: %[[A:.*]] = memref.alloc() {{.*}} : memref<16x40xf16, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK-COUNT-2: nvgpu.ldmatrix %[[A]]
// CHECK: scf.for
// CHECK-NOT: nvgpu.ldmatrix %[[A]]
// CHECK: nvgpu.ldmatrix
// CHECK-NOT: nvgpu.ldmatrix %[[A]]
// CHECK: nvvm.mma.sync
// CHECK-LABEL: func @large
// CHECK: %[[A:.*]] = memref.alloc() {{.*}} : memref<128x264xf16, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK: nvgpu.ldmatrix %[[A]]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @resident(%x: memref<16x32xf16>, %y: memref<32x64xf16>, %z: memref<16x64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %p = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<16x8xf32>
    %a = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x32xf16>, vector<16x32xf16>
    scf.for %i = %c0 to %c64 step %c8 {
      %b = vector.transfer_read %y[%c0, %i], %p {in_bounds = [true, true]} : memref<32x64xf16>, vector<32x8xf16>
      %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %zero : vector<16x32xf16>, vector<32x8xf16> into vector<16x8xf32>
      vector.transfer_write %r, %z[%c0, %i] {in_bounds = [true, true]} : vector<16x8xf32>, memref<16x64xf32>
    }
    gpu.terminator
  }
  return
}
func.func @large(%x: memref<128x256xf16>, %y: memref<256x64xf16>, %z: memref<128x64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %p = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<128x8xf32>
    %a = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : memref<128x256xf16>, vector<128x256xf16>
    scf.for %i = %c0 to %c64 step %c8 {
      %b = vector.transfer_read %y[%c0, %i], %p {in_bounds = [true, true]} : memref<256x64xf16>, vector<256x8xf16>
      %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %zero : vector<128x256xf16>, vector<256x8xf16> into vector<128x8xf32>
      vector.transfer_write %r, %z[%c0, %i] {in_bounds = [true, true]} : vector<128x8xf32>, memref<128x64xf32>
    }
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launches = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["vector.contract"]} in %root : (!transform.any_op) -> !transform.any_op
    %w, %b = transform.formwork.stage %op operands = [0, 1] padding = [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.formwork.contract_on_tensor_cores %op warps = [1, 1] : (!transform.any_op) -> ()
    %shared = transform.formwork.distribute_vectors %launches threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
