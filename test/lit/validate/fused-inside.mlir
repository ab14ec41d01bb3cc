// An op that is in the loop already is tiled there once more, and the original may
// stay, so that a match meets both; upstream leaves IR that does not verify.
// RUN: split-file %s %t
// RUN: not formwork apply %t/payload.mlir --transform=%t/schedule.mlir --validate 2>&1 | FileCheck %s

// CHECK-NOT: fw-false-fact
// CHECK: validated: 4 steps
// CHECK: [fw-schedule-invalid]

//--- payload.mlir
func.func @f(%s: f32, %C: tensor<7x6xf32>) -> tensor<7x6xf32> {
  %r = linalg.fill ins(%s : f32) outs(%C : tensor<7x6xf32>) -> tensor<7x6xf32>
  return %r : tensor<7x6xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiled, %forall = transform.structured.tile_using_forall %0 tile_sizes [2, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %loop = transform.structured.fuse_into_containing_op %tiled into %forall : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %both = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
