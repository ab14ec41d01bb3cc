// RUN: formwork-opt %s --split-input-file --verify-diagnostics --formwork-gpu-sink-workgroup-buffers

func.func @two(%v: f32) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  // expected-error @below {{workgroup memory requires one kernel that allocates it but 'memref<32xf32, #gpu.address_space<workgroup>>' comes from the host [fw-kernel-allocation]}}
  %a = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
  // expected-note @below {{this kernel uses the buffer}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %v, %a[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %v, %a[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

// expected-error @below {{comes from the host [fw-kernel-allocation]}}
func.func @given(%a: memref<32xf32, #gpu.address_space<workgroup>>, %v: f32) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  // expected-note @below {{this kernel uses the buffer}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %v, %a[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}
