// The loops that one step of tiling makes on buffers depend on nothing in each other; those
// of a further one are made in them, with their bounds.
// RUN: split-file %s %t
// RUN: formwork check %t/nest.mlir --strict
// RUN: formwork apply %t/nest.mlir --validate -o %t.out
// RUN: sed s/8,/12,/ %t/nest.mlir > %t/rest.mlir
// RUN: formwork check %t/rest.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not mlir-opt %t/rest.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: formwork check %t/again.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not mlir-opt %t/again.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=FAILS

// OPEN: unrolls and jams a loop that may not allow for it
// FAILS: failed to unroll and jam

//--- nest.mlir
func.func @f(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %matmul tile_sizes [8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.loop.unroll_and_jam %loops#0 {factor = 4} : !transform.any_op
    transform.yield
  }
}

//--- again.mlir
func.func @f(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part, %inner = transform.structured.tile_using_for %tile tile_sizes [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll_and_jam %loop {factor = 4} : !transform.any_op
    transform.yield
  }
}
