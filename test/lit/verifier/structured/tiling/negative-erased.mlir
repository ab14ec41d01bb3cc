// A loop in negative steps runs zero times. Unrolling erases it, and what was wrong with the tile.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --unchecked -o /dev/null
// RUN: grep -v loop.unroll %s > %t.mlir
// RUN: not formwork check --static %t.mlir 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: not formwork apply %t.mlir --unchecked -o - 2>&1 | FileCheck %s --check-prefix=FAILS

// CHECK: warning: requires tile sizes and numbers of threads that are not negative but has -1 [fw-negative-tile-size]
// CHECK: unproved: 0 errors
// LEFT: error: requires tile sizes and numbers of threads that are not negative but has -1 [fw-negative-tile-size]
// FAILS: expected sizes to be non-negative, but got -1

func.func @f(%a: tensor<12x8xf32>, %b: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %0 = linalg.exp ins(%a : tensor<12x8xf32>) outs(%b : tensor<12x8xf32>) -> tensor<12x8xf32>
  return %0 : tensor<12x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %exp tile_sizes [-1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %loop {factor = 2 : i64} : !transform.any_op
    transform.yield
  }
}
