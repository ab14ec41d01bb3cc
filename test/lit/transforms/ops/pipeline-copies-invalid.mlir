// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// Another operation.
func.func @f(%x: memref<128x64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  // expected-note @below {{payload op}}
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
    %loop = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires an 'scf.for' but has 'gpu.launch' [fw-cannot-pipeline]}}
    %new = transform.formwork.pipeline_copies %loop depth = [3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A loop of the host.
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{payload op}}
  scf.for %i = %c0 to %n step %c1 {
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a loop inside of a 'gpu.launch' but has one outside [fw-cannot-pipeline]}}
    %new = transform.formwork.pipeline_copies %loop depth = [3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// No copy.
func.func @f(%x: memref<128x64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %buffer = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-note @below {{payload op}}
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%acc = %zero) -> (f32) {
      %place = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %v = vector.transfer_read %x[%i, %place], %zero {in_bounds = [true]} : memref<128x64xf32>, vector<4xf32>
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
    // expected-error @below {{requires a loop that copies to workgroup memory but has one that does not [fw-cannot-pipeline]}}
    %new = transform.formwork.pipeline_copies %loop depth = [3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Something else is written.
func.func @f(%x: memref<128x64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %buffer = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-note @below {{payload op}}
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%acc = %zero) -> (f32) {
      %place = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %v = vector.transfer_read %x[%i, %place], %zero {in_bounds = [true]} : memref<128x64xf32>, vector<4xf32>
      vector.transfer_write %v, %buffer[%place] {in_bounds = [true]} : vector<4xf32>, memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = affine.apply affine_map<(d0) -> (63 - d0)>(%tx)
      %w = memref.load %buffer[%other] : memref<64xf32, #gpu.address_space<workgroup>>
      %next = arith.addf %acc, %w : f32
      // expected-note @below {{here}}
      memref.store %next, %y[%tx] : memref<64xf32>
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
    // expected-error @below {{requires a loop that writes nothing but its copies but has 'memref.store' [fw-cannot-pipeline]}}
    %new = transform.formwork.pipeline_copies %loop depth = [3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The written value is computed.
func.func @f(%x: memref<128x64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %buffer = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-note @below {{payload op}}
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%acc = %zero) -> (f32) {
      %place = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %v = vector.transfer_read %x[%i, %place], %zero {in_bounds = [true]} : memref<128x64xf32>, vector<4xf32>
      %d = arith.addf %v, %v : vector<4xf32>
      vector.transfer_write %d, %buffer[%place] {in_bounds = [true]} : vector<4xf32>, memref<64xf32, #gpu.address_space<workgroup>>
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
    // expected-error @below {{requires a loop that copies to workgroup memory but has one that computes all that it writes there [fw-cannot-pipeline]}}
    %new = transform.formwork.pipeline_copies %loop depth = [3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The buffer is used behind the loop.
func.func @f(%x: memref<128x64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %buffer = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-note @below {{payload op}}
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
    // expected-note @below {{here}}
    %again = memref.load %buffer[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %sum, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires buffers that only the loop uses but has one that is used elsewhere [fw-cannot-pipeline]}}
    %new = transform.formwork.pipeline_copies %loop depth = [3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The buffer is read first.
func.func @f(%x: memref<128x64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %buffer = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-note @below {{payload op}}
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%acc = %zero) -> (f32) {
      // expected-note @below {{here}}
      %early = memref.load %buffer[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
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
    // expected-error @below {{requires buffers that are filled before they are read but has one that is read first [fw-cannot-pipeline]}}
    %new = transform.formwork.pipeline_copies %loop depth = [3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Copies of 12 bytes.
func.func @f(%x: memref<128x64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %buffer = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-note @below {{payload op}}
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%acc = %zero) -> (f32) {
      %place = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      // expected-note @below {{here}}
      %v = vector.transfer_read %x[%i, %place], %zero {in_bounds = [true]} : memref<128x64xf32>, vector<3xf32>
      vector.transfer_write %v, %buffer[%place] {in_bounds = [true]} : vector<3xf32>, memref<64xf32, #gpu.address_space<workgroup>>
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
    // expected-error @below {{requires copies of 4, 8 or 16 bytes but has one of 96 bits [fw-cannot-pipeline]}}
    %new = transform.formwork.pipeline_copies %loop depth = [3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Copies that are not aligned.
func.func @f(%x: memref<128x64xf16>, %y: memref<64xf16>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f16
    %buffer = memref.alloc() {alignment = 16 : i64} : memref<64xf16, #gpu.address_space<workgroup>>
    // expected-note @below {{payload op}}
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%acc = %zero) -> (f16) {
      %place = affine.apply affine_map<(d0) -> (d0 * 4 + 1)>(%tx)
      // expected-note @below {{here}}
      %v = vector.transfer_read %x[%i, %place], %zero {in_bounds = [true]} : memref<128x64xf16>, vector<4xf16>
      vector.transfer_write %v, %buffer[%place] {in_bounds = [true]} : vector<4xf16>, memref<64xf16, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = affine.apply affine_map<(d0) -> (63 - d0)>(%tx)
      %w = memref.load %buffer[%other] : memref<64xf16, #gpu.address_space<workgroup>>
      %next = arith.addf %acc, %w : f16
      gpu.barrier
      scf.yield %next : f16
    }
    memref.store %sum, %y[%tx] : memref<64xf16>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires copies to start at multiples of 4 bytes but has one that may not [fw-cannot-pipeline]}}
    %new = transform.formwork.pipeline_copies %loop depth = [3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A copy over the edge, behind which it reads no zeros.
func.func @f(%x: memref<128x64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %buffer = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-note @below {{payload op}}
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%acc = %zero) -> (f32) {
      %place = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      // expected-note @below {{here}}
      %v = vector.transfer_read %x[%i, %place], %one {in_bounds = [false]} : memref<128x64xf32>, vector<4xf32>
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
    // expected-error @below {{requires copies that read zero beyond the end of a buffer but has one that reads another value [fw-cannot-pipeline]}}
    %new = transform.formwork.pipeline_copies %loop depth = [3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A place that the loop computes.
func.func @f(%x: memref<128x64xf32>, %y: memref<64xf32>, %n: memref<index>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %buffer = memref.alloc() {alignment = 16 : i64} : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-note @below {{payload op}}
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%acc = %zero) -> (f32) {
      // expected-note @below {{here}}
      %loaded = memref.load %n[] : memref<index>
      %place = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1 * 16)>(%tx, %loaded)
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
    // expected-error @below {{requires copies of which the places follow from the step but has one that needs what the loop computes [fw-cannot-pipeline]}}
    %new = transform.formwork.pipeline_copies %loop depth = [3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The depth.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{requires a depth of at least 2 but has 1 [fw-cannot-pipeline]}}
    %new = transform.formwork.pipeline_copies %root depth = [1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// What is copied has other elements than what is read.
func.func @f(%x: memref<128x64xi8>, %y: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %none = arith.constant 0 : i8
    %zero = arith.constant 0 : i32
    %buffer = memref.alloc() {alignment = 16 : i64} : memref<64xi32, #gpu.address_space<workgroup>>
    // expected-note @below {{payload op}}
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%acc = %zero) -> (i32) {
      %place = affine.apply affine_map<(d0) -> (d0 * 4)>(%tx)
      %v = vector.transfer_read %x[%i, %place], %none {in_bounds = [true]} : memref<128x64xi8>, vector<4xi8>
      %d = arith.extsi %v : vector<4xi8> to vector<4xi32>
      // expected-note @below {{here}}
      vector.transfer_write %d, %buffer[%place] {in_bounds = [true]} : vector<4xi32>, memref<64xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = affine.apply affine_map<(d0) -> (63 - d0)>(%tx)
      %w = memref.load %buffer[%other] : memref<64xi32, #gpu.address_space<workgroup>>
      %next = arith.addi %acc, %w : i32
      gpu.barrier
      scf.yield %next : i32
    }
    memref.store %sum, %y[%tx] : memref<64xi32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires copies from global memory but has one that extends its elements; let the product extend them with fold_type_extensions_into_contract [fw-cannot-pipeline]}}
    %new = transform.formwork.pipeline_copies %loop depth = [3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
