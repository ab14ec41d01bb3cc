// Tiling clones the body of an op. Where that holds a target of the same step, the tile made of it
// is erased, and the handle is not told.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: sed '/^    linalg.fill/d' %s > %t.mlir
// RUN: formwork check --static %t.mlir 2>&1 | FileCheck %s --check-prefix=PROVED

// CHECK: its contract was not tested: 'body:structured' (an op that is a structured op that holds another, so that a step on both erases what it makes of that) [fw-unproved]
// PROVED: : proved: 0 errors

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<8x4xf32>, %b: memref<4xf32>, %z: f32) {
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%a : memref<8x4xf32>) {
    ^bb0(%x: f32):
    linalg.fill ins(%z : f32) outs(%b : memref<4xf32>)
      linalg.yield %z : f32
    }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %t = transform.structured.match interface{LinalgOp} in %m : (!transform.any_op) -> !transform.any_op
    %r, %l = transform.structured.tile_using_for %t tile_sizes [3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %s = transform.structured.scalarize %r : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
