// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// A tile that is no multiple of the warps' instructions.
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
    // expected-note @below {{payload op}}
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
    // expected-error @below {{requires a tile of multiples of 32x8x8 but has one of 16x8x32 [fw-not-for-tensor-cores]}}
    transform.formwork.contract_on_tensor_cores %op warps = [2, 1] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// f32 is not rounded unless the step says so.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f16(%x: memref<16x32xf32>, %y: memref<32x8xf32>, %z: memref<16x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %p = arith.constant 0.0 : f32
    %q = arith.constant 0.0 : f32
    %a = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x32xf32>, vector<16x32xf32>
    %b = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : memref<32x8xf32>, vector<32x8xf32>
    %c = vector.transfer_read %z[%c0, %c0], %q {in_bounds = [true, true]} : memref<16x8xf32>, vector<16x8xf32>
    // expected-note @below {{payload op}}
    %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<16x32xf32>, vector<32x8xf32> into vector<16x8xf32>
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
    // expected-error @below {{requires operands of f16, bf16, or f32 that is rounded to tf32, but multiplies f32 by f32 [fw-not-for-tensor-cores]}}
    transform.formwork.contract_on_tensor_cores %op warps = [%one, 1] : (!transform.any_op, !transform.param<i64>) -> ()
    transform.yield
  }
}

// -----

// Nothing is rounded that is no f32.
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
    // expected-note @below {{payload op}}
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
    // expected-error @below {{requires operands of f32 to round to tf32 but multiplies f16 by f16 [fw-not-for-tensor-cores]}}
    transform.formwork.contract_on_tensor_cores %op warps = [%one, 1] round_to_tf32 : (!transform.any_op, !transform.param<i64>) -> ()
    transform.yield
  }
}

// -----

// An operand that is not staged.
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
    // expected-note @below {{payload op}}
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
    %one = transform.param.constant 1 -> !transform.param<i64>
    // expected-error @below {{requires operands that are read from workgroup memory but has one that is not [fw-not-for-tensor-cores]}}
    transform.formwork.contract_on_tensor_cores %op warps = [%one, 1] : (!transform.any_op, !transform.param<i64>) -> ()
    transform.yield
  }
}

// -----

// Rows that do not start at multiples of 16 bytes.
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
    // expected-note @below {{here}}
    %a = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x32xf16>, vector<16x32xf16>
    %b = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : memref<32x8xf16>, vector<32x8xf16>
    %c = vector.transfer_read %z[%c0, %c0], %q {in_bounds = [true, true]} : memref<16x8xf32>, vector<16x8xf32>
    // expected-note @below {{payload op}}
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
    %wa, %ba = transform.formwork.stage %op operands = [0] padding = [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %wb, %bb = transform.formwork.stage %op operands = [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %one = transform.param.constant 1 -> !transform.param<i64>
    // expected-error @below {{requires buffers of which rows start at multiples of 16 bytes but has one of type memref<16x36xf16, #gpu.address_space<workgroup>> [fw-not-for-tensor-cores]}}
    transform.formwork.contract_on_tensor_cores %op warps = [%one, 1] : (!transform.any_op, !transform.param<i64>) -> ()
    transform.yield
  }
}

// -----

// Another reduction than a sum.
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
    // expected-note @below {{payload op}}
    %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxnumf>} %a, %b, %c : vector<16x32xf16>, vector<32x8xf16> into vector<16x8xf32>
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
    // expected-error @below {{requires a sum of products for each element of a matrix, without a mask, but has another contraction [fw-not-for-tensor-cores]}}
    transform.formwork.contract_on_tensor_cores %op warps = [%one, 1] : (!transform.any_op, !transform.param<i64>) -> ()
    transform.yield
  }
}

// -----

// Another operation.
// expected-note @below {{payload op}}
func.func @f() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a 'vector.contract' but has 'func.func' [fw-not-for-tensor-cores]}}
    transform.formwork.contract_on_tensor_cores %op warps = [1, 1] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// Numbers of warps.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{requires the warps along rows and along columns but has 1 numbers [fw-bad-threads]}}
    transform.formwork.contract_on_tensor_cores %root warps = [4] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{requires at most 1024 threads per block but has more [fw-bad-threads]}}
    transform.formwork.contract_on_tensor_cores %root warps = [8, 8] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// The step that shares the vectors has to have as many threads.
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
    // expected-note @below {{here}}
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
    // expected-error @below {{requires 32 threads for 1x1 warps but has 64 [fw-not-for-tensor-cores]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [64] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The buffer is written after it was read: fragments are loaded later.
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
    %w = memref.alloc() : memref<16x32xf16, #gpu.address_space<workgroup>>
    %z0 = arith.constant dense<0.0> : vector<16x32xf16>
    %a = vector.transfer_read %w[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x32xf16, #gpu.address_space<workgroup>>, vector<16x32xf16>
    %b = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : memref<32x8xf16>, vector<32x8xf16>
    %c = vector.transfer_read %z[%c0, %c0], %q {in_bounds = [true, true]} : memref<16x8xf32>, vector<16x8xf32>
    // expected-note @below {{here}}
    vector.transfer_write %z0, %w[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xf16>, memref<16x32xf16, #gpu.address_space<workgroup>>
    // expected-note @below {{payload op}}
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
    %wb, %bb = transform.formwork.stage %op operands = [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %one = transform.param.constant 1 -> !transform.param<i64>
    // expected-error @below {{requires buffers that nothing writes between the read and the contraction but has 'vector.transfer_write' [fw-not-for-tensor-cores]}}
    transform.formwork.contract_on_tensor_cores %op warps = [%one, 1] : (!transform.any_op, !transform.param<i64>) -> ()
    transform.yield
  }
}

// -----

// The columns of the first product would be shared by two warps, and the sum of the
// second one by the lanes of each.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @chained(%x: memref<16x16xf16>, %y: memref<16x16xf16>, %v: memref<16x16xf16>, %z: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %p = arith.constant 0.0 : f16
    %sums = arith.constant dense<0.0> : vector<16x16xf32>
    %a = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %b = vector.transfer_read %y[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %r = vector.contract {first, indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %sums : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    %w = arith.truncf %r : vector<16x16xf32> to vector<16x16xf16>
    %d = vector.transfer_read %v[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    // expected-note @below {{here}}
    %s = vector.contract {second, indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %w, %d, %sums : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    vector.transfer_write %s, %z[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
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
    transform.formwork.contract_on_tensor_cores %first warps = [1, 2] : (!transform.any_op) -> ()
    transform.formwork.contract_on_tensor_cores %second warps = [1, 2] : (!transform.any_op) -> ()
    // expected-error @below {{requires vectors that are shared in one way but has a dimension that two contractions would share differently [fw-not-for-tensor-cores]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [64] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Operands are rounded or truncated, not both.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["vector.contract"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires operands that are rounded or truncated but has both [fw-not-for-tensor-cores]}}
    transform.formwork.contract_on_tensor_cores %op warps = [1, 1] round_to_tf32 truncate_to_tf32 : (!transform.any_op) -> ()
    transform.yield
  }
}
