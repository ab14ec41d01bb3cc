// A sum is rounded with its product only when asked, and not where the product has
// another use.

// RUN: formwork compile %s --target=sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=EXACT
// RUN: formwork compile %s --target=sm_80 --emit=ptx --approximate=fma -o - 2>%t.err | FileCheck %s --check-prefix=FUSED
// RUN: FileCheck %s --check-prefix=REMARK < %t.err

// EXACT-NOT: fma.rn
// EXACT: mul.rn.f32
// EXACT: add.rn.f32
// FUSED-COUNT-3: fma.rn.f32
// FUSED-NOT: fma.rn.f32
// REMARK: remark: rounds a sum and its product once in 3 places of the kernels, with an error of at most 1/2 ulp [fw-approximates]

func.func @f(%m: memref<32xf32>, %n: memref<32xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %x = memref.load %m[%tx] : memref<32xf32>
    %y = memref.load %n[%tx] : memref<32xf32>
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %x : f32
    %q = arith.mulf %s, %y : f32
    %t = arith.subf %x, %q : f32
    %r = arith.mulf %t, %s : f32
    %u = arith.subf %r, %y : f32
    %shared = arith.mulf %u, %u : f32
    %v = arith.addf %shared, %y : f32
    %w = arith.divf %shared, %v : f32
    memref.store %w, %m[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
