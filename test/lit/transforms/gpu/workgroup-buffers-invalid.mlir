// RUN: formwork-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(formwork-gpu-workgroup-buffers))'

gpu.module @kernels {
  gpu.func @device_malloc(%v: f32, %i: index) kernel {
    // expected-error @below {{a kernel requires its buffers from outside but has an allocation of 'memref<8xf32>' [fw-kernel-allocation]}}
    // expected-note @below {{fix-it: normalize to @tensor.no_empty before bufferization}}
    %a = memref.alloc() : memref<8xf32>
    memref.store %v, %a[%i] : memref<8xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @dynamic(%v: f32, %i: index) kernel {
    // expected-error @below {{workgroup memory requires a static shape and layout but has 'memref<?xf32, #gpu.address_space<workgroup>>' [fw-kernel-allocation]}}
    %a = memref.alloc(%i) : memref<?xf32, #gpu.address_space<workgroup>>
    memref.store %v, %a[%i] : memref<?xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  func.func @helper(%v: f32, %i: index) {
    // expected-error @below {{workgroup memory requires a kernel that allocates it but a function does [fw-kernel-allocation]}}
    %a = memref.alloc() : memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %v, %a[%i] : memref<8xf32, #gpu.address_space<workgroup>>
    return
  }
}
