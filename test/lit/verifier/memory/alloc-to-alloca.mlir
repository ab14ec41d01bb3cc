// Each rewrite of alloc_to_alloca leaves one allocation less.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o - | FileCheck %s --check-prefix=APPLIED

// CHECK: : proved: 0 errors
// APPLIED: memref.alloca()
// APPLIED-NOT: memref.dealloc

func.func @f(%i: index, %x: f32) -> f32 {
  %m = memref.alloc() : memref<16xf32>
  memref.store %x, %m[%i] : memref<16xf32>
  %y = memref.load %m[%i] : memref<16xf32>
  memref.dealloc %m : memref<16xf32>
  return %y : f32
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.alloc_to_alloca
    } : !transform.any_op
    transform.yield
  }
}
