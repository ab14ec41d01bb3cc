// A tile stands where the op stood of which it is made, so that a later match meets it when it
// would have met that op. Behind a step that may move ops, the order of what steps made is not
// known.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/tiled.mlir --strict
// RUN: formwork apply %t/payload.mlir --transform=%t/tiled.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/moved.mlir 2>&1 | FileCheck %s
// RUN: not formwork check %t/payload.mlir --transform=%t/swapped.mlir 2>&1 | FileCheck %s --check-prefix=SWAPPED
// RUN: not mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/swapped.mlir --transform-interpreter -o %t/out.mlir

// CHECK: cannot prove
// SWAPPED: [fw-kind-mismatch]

//--- payload.mlir
func.func @f(%A: memref<8x8xf32>, %B: memref<8x8xf32>, %C: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%C : memref<8x8xf32>)
  linalg.matmul ins(%A, %B : memref<8x8xf32>, memref<8x8xf32>) outs(%C : memref<8x8xf32>)
  linalg.exp ins(%C : memref<8x8xf32>) outs(%A : memref<8x8xf32>)
  return
}

//--- tiled.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %last, %outer:2 = transform.structured.tile_using_for %exp tile_sizes [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %fill tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %tile "note" : !transform.any_op
    %all = transform.structured.match interface{LinalgOp} in %m : (!transform.any_op) -> !transform.any_op
    %each:3 = transform.split_handle %all : (!transform.any_op) -> (!transform.op<"linalg.fill">, !transform.op<"linalg.matmul">, !transform.op<"linalg.exp">)
    %small, %loops = transform.structured.tile_using_for %each#1 tile_sizes [0, 0, 4] : (!transform.op<"linalg.matmul">) -> (!transform.any_op, !transform.any_op)
    %nests = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %first, %second, %inner, %around = transform.split_handle %nests : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.loop.unroll %inner {factor = 2 : i64} : !transform.any_op
    transform.yield
  }
}

//--- moved.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %fill tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_licm to %loop : !transform.any_op
    %all = transform.structured.match interface{LinalgOp} in %m : (!transform.any_op) -> !transform.any_op
    %each:3 = transform.split_handle %all : (!transform.any_op) -> (!transform.op<"linalg.fill">, !transform.op<"linalg.matmul">, !transform.op<"linalg.exp">)
    transform.yield
  }
}

//--- swapped.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %fill tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %all = transform.structured.match interface{LinalgOp} in %m : (!transform.any_op) -> !transform.any_op
    %each:3 = transform.split_handle %all : (!transform.any_op) -> (!transform.op<"linalg.matmul">, !transform.op<"linalg.fill">, !transform.op<"linalg.exp">)
    transform.yield
  }
}
