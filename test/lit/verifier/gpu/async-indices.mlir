// MLIR asks for the bits of what it copies, and an index does not say how many it has.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: sed -e 's/xindex/xi32/g' -e 's/%none: index/%none: i32/' %s > %t.i32.mlir
// RUN: formwork check --static %t.i32.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t.i32.mlir --validate -o - | FileCheck %s --check-prefix=APPLIED

// CHECK: may make a copy of 'index' elements asynchronous, on which MLIR crashes [fw-unproved]
// PROVED: : proved: 0 errors
// APPLIED: nvgpu.device_async_copy

func.func @f(%x: memref<16x8xindex>, %y: memref<16x8xindex, #gpu.address_space<workgroup>>, %none: index, %i: index) {
  %v = vector.transfer_read %x[%i, %i], %none {in_bounds = [true]} : memref<16x8xindex>, vector<4xindex>
  vector.transfer_write %v, %y[%i, %i] {in_bounds = [true]} : vector<4xindex>, memref<16x8xindex, #gpu.address_space<workgroup>>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.nvgpu.create_async_groups %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
