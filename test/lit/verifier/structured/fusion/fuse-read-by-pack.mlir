// An op that is tiled without being structured, such as linalg.pack, reads what it reads: its
// producer is not said to have no use in the loop that was made of it.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir --validate -o %t.out
// RUN: sed s/linalg.exp/linalg.log/ %t/schedule.mlir > %t/other.mlir
// RUN: not formwork check %t/payload.mlir --transform=%t/other.mlir 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK-NOT: error:
// CHECK: : proved: 0 errors
// OTHER: [fw-not-a-producer]

//--- payload.mlir
func.func @f(%a: tensor<16x8xf32>, %d: tensor<4x2x4x4xf32>, %o: tensor<16x8xf32>) -> (tensor<4x2x4x4xf32>, tensor<16x8xf32>) {
  %0 = linalg.exp ins(%a : tensor<16x8xf32>) outs(%o : tensor<16x8xf32>) -> tensor<16x8xf32>
  %1 = linalg.log ins(%a : tensor<16x8xf32>) outs(%o : tensor<16x8xf32>) -> tensor<16x8xf32>
  %2 = linalg.pack %0 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %d : tensor<16x8xf32> -> tensor<4x2x4x4xf32>
  return %2, %1 : tensor<4x2x4x4xf32>, tensor<16x8xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %e = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %pack = transform.structured.match ops{["linalg.pack"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %pack tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %e into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
