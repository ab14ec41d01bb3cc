// A scalable size splits its loop, and what it leaves is of a size that only the
// machine knows. A tile size may be a parameter of any integer type.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/tiled.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t/payload.mlir --transform=%t/tiled.mlir --validate -o - | FileCheck %s --check-prefix=APPLIED
// RUN: formwork check %t/payload.mlir --transform=%t/zero.mlir 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not formwork check %t/payload.mlir --transform=%t/again.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: formwork check %t/payload.mlir --transform=%t/narrow.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t/payload.mlir --transform=%t/narrow.mlir --validate -o - | FileCheck %s --check-prefix=NARROW

// PROVED: : proved: 0 errors
// APPLIED: vector.vscale
// APPLIED: memref<?x?xf32
// ZERO: cannot prove that 'transform.structured.tile_using_for' succeeds: scales a tile size that may be 0
// AGAIN: error: requires static shapes but dimension 1 of 'linalg.matmul' is dynamic [fw-dynamic-shape]
// AGAIN: note: the scalable tile size of dimension 1 is known to the machine only
// NARROW: step %c32

//--- payload.mlir
func.func @f(%a: memref<128x256xf32>, %b: memref<256x512xf32>, %c: memref<128x512xf32>) {
  linalg.matmul ins(%a, %b : memref<128x256xf32>, memref<256x512xf32>) outs(%c : memref<128x512xf32>)
  return
}

//--- tiled.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [[4], [8], 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %u, %k:2 = transform.structured.tile_using_for %t tile_sizes [1, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %k#1 "inner" : !transform.any_op
    transform.yield
  }
}

//--- zero.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %m tile_sizes [[0], 8, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- again.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %m tile_sizes [0, [8], 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %t : !transform.any_op
    transform.yield
  }
}

//--- narrow.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %size = transform.param.constant 32 : i32 -> !transform.param<i32>
    %t, %l = transform.structured.tile_using_for %m tile_sizes [%size] : (!transform.any_op, !transform.param<i32>) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %t : !transform.any_op
    transform.yield
  }
}
