// A size that is computed in a loop is no dimension to an affine one.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/tiled.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not formwork apply %t/payload.mlir --transform=%t/tiled.mlir -o - 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: formwork check %t/payload.mlir --transform=%t/top.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/top.mlir --validate -o %t/out.mlir

// CHECK: : proved: 0 errors
// OPEN: can fail: operand cannot be used as a dimension id
// FAILS: operand cannot be used as a dimension id

//--- payload.mlir
func.func @f(%A: memref<?x8xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%A : memref<?x8xf32>)
  return
}

//--- tiled.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %fill tile_sizes [3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "convert-linalg-to-affine-loops" to %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- top.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "convert-linalg-to-affine-loops" to %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
