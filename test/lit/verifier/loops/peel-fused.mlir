// The loops of a fusion go as far as those of the op that it tiles.
// RUN: formwork check %s --strict
// RUN: formwork apply %s --validate -o - | FileCheck %s
// RUN: sed 's/tile_sizes \[5, 4\]/tile_sizes [4, 4]/' %s > %t.mlir
// RUN: not formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK-COUNT-3: scf.for
// NONE: error: requires a loop with a partial last iteration but its step 4 divides its range 16 [fw-nothing-to-peel]

func.func @f(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = linalg.exp ins(%a : tensor<16x16xf32>) outs(%b : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %e = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %e tile_sizes [5, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %loop = transform.cast %l#0 : !transform.any_op to !transform.op<"scf.for">
    %main, %rest = transform.loop.peel %loop : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
