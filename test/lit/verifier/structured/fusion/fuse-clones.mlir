// A producer of which MLIR computes no tile is cloned into the loop, and a second clone stays that nothing reads. Steps behind it, of
// which the payload model knows too little, are tried with a payload, and proved where they succeed.
// RUN: split-file %s %t
// RUN: formwork check --static --strict %t/payload.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir --validate -o - | FileCheck %s --check-prefix=APPLIED
// RUN: not formwork check --static --strict --no-payload %t/schedule.mlir 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK-NOT: fw-unproved
// CHECK: : proved: 0 errors
// NONE: [fw-unproved]
// APPLIED: scf.forall
// APPLIED-COUNT-2: linalg.softmax
// APPLIED-NOT: linalg.softmax

//--- payload.mlir
func.func @f(%a: tensor<16x8xf32>, %d: tensor<16x8xf32>, %o: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = linalg.exp ins(%a : tensor<16x8xf32>) outs(%o : tensor<16x8xf32>) -> tensor<16x8xf32>
  %1 = linalg.softmax dimension(1) ins(%0 : tensor<16x8xf32>) outs(%o : tensor<16x8xf32>) -> tensor<16x8xf32>
  %2 = linalg.log ins(%1 : tensor<16x8xf32>) outs(%d : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %log = transform.structured.match ops{["linalg.log"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %log tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %whole, %loop2 = transform.structured.fuse_into_containing_op %softmax into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %too, %loop3 = transform.structured.fuse_into_containing_op %exp into %loop2 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
