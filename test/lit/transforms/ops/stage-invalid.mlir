// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// fw-cannot-stage: no such operand
func.func @f(%x: memref<8x4xf32>, %y: memref<4x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    // expected-note @below {{payload op}}
    %t = vector.transpose %v, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    vector.transfer_write %t, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["vector.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires the number of an operand of 'vector.transpose' but has 1 [fw-cannot-stage]}}
    %copies, %buffers = transform.formwork.stage %op operands = [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-cannot-stage: no vector
func.func @f(%x: memref<8x4xf32>, %y: memref<4x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %t = vector.transpose %v, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    // expected-note @below {{payload op}}
    vector.transfer_write %t, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["vector.transfer_write"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires operand 1 of 'vector.transfer_write' to be a vector of a fixed size but has another type [fw-cannot-stage]}}
    %copies, %buffers = transform.formwork.stage %op operands = [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-cannot-stage: an order of other dimensions
func.func @f(%x: memref<8x4xf32>, %y: memref<4x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    // expected-note @below {{payload op}}
    %t = vector.transpose %v, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    vector.transfer_write %t, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["vector.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires an order of 2 dimensions but has one of 1 [fw-cannot-stage]}}
    %copies, %buffers = transform.formwork.stage %op operands = [0] order = [0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-cannot-stage: a dimension twice
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
    // expected-error @below {{requires an order in which each dimension stands once [fw-cannot-stage]}}
    %copies, %buffers = transform.formwork.stage %op operands = [0] order = [0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-cannot-stage: negative padding
func.func @f(%x: memref<8x4xf32>, %y: memref<4x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    // expected-note @below {{payload op}}
    %t = vector.transpose %v, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    vector.transfer_write %t, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["vector.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a padding of at least 0 but has -1 [fw-cannot-stage]}}
    %copies, %buffers = transform.formwork.stage %op operands = [0] padding = [-1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-cannot-stage: a choice that is none
func.func @f(%x: memref<8x4xf32>, %y: memref<4x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    // expected-note @below {{payload op}}
    %t = vector.transpose %v, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    vector.transfer_write %t, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["vector.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
    %two = transform.param.constant 2 -> !transform.param<i64>
    // expected-error @below {{requires 0 or 1 for a swizzle but has 2 [fw-cannot-stage]}}
    %copies, %buffers = transform.formwork.stage %op operands = [0] swizzle = [%two] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-cannot-stage: rows that are chosen to be swizzled, and too short
func.func @f(%x: memref<8x4xf32>, %y: memref<4x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    // expected-note @below {{payload op}}
    %t = vector.transpose %v, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    vector.transfer_write %t, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["vector.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires rows without padding, of a power of two of at least 32 bytes, to swizzle a buffer but has others [fw-cannot-stage]}}
    %copies, %buffers = transform.formwork.stage %op operands = [0] swizzle = [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-cannot-stage: two choices
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
    // expected-error @below {{requires one choice of a swizzle but has several [fw-cannot-stage]}}
    %copies, %buffers = transform.formwork.stage %op operands = [0] swizzle = [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-cannot-stage: two paddings
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
    // expected-error @below {{requires one padding but has several [fw-cannot-stage]}}
    %copies, %buffers = transform.formwork.stage %op operands = [0] padding = [1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-cannot-stage: nothing to stage
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
    // expected-error @below {{requires operands to stage but has none [fw-cannot-stage]}}
    %copies, %buffers = transform.formwork.stage %op operands = [] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-cannot-stage: outside of a kernel
func.func @f(%v: vector<8x4xf32>) -> vector<4x8xf32> {
    // expected-note @below {{payload op}}
    %t = vector.transpose %v, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
  return %t : vector<4x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["vector.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires an operation inside of a 'gpu.launch' but 'vector.transpose' is outside of one [fw-cannot-stage]}}
    %copies, %buffers = transform.formwork.stage %op operands = [0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
