// Copies of ops of static shape, as unrolling makes them, are of static shape.
// A pass may ask for a number in its options.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir --validate -o - | FileCheck %s --check-prefix=APPLIED
// RUN: formwork check %t/payload.mlir --transform=%t/dynamic.mlir 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: formwork check %t/payload.mlir --transform=%t/zero.mlir 2>&1 | FileCheck %s --check-prefix=ZERO

// PROVED: : proved: 0 errors, 0 warnings
// APPLIED: affine.for
// DYNAMIC: can fail: operand cannot be used as a dimension id
// ZERO: can fail: Vectorization factor must be greater than zero

//--- payload.mlir
func.func @f(%a: memref<128x256xf32>, %b: memref<256x512xf32>, %c: memref<128x512xf32>) {
  linalg.matmul ins(%a, %b : memref<128x256xf32>, memref<256x512xf32>) outs(%c : memref<128x512xf32>)
  return
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.loop.unroll %l#1 {factor = 2} : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "convert-linalg-to-affine-loops" to %f : (!transform.any_op) -> !transform.any_op
    %h = transform.apply_registered_pass "affine-super-vectorize" with options = {"virtual-vector-size" = [4]} to %g : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- dynamic.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [7, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.loop.unroll %l#1 {factor = 2} : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "convert-linalg-to-affine-loops" to %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- zero.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "affine-super-vectorize" with options = {"virtual-vector-size" = [4, 0]} to %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
