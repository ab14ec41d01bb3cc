// A fused producer has the size of the slice that the loop takes, also where its reader was tiled
// further; and one that cannot be tiled is copied as a whole.
// RUN: split-file %s %t
// RUN: formwork check %inputs/matmul.mlir --transform=%t/further.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/further.mlir --validate -o %t/out.mlir
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/loop.mlir --validate -o - | FileCheck %s --check-prefix=TWICE

// CHECK: : proved: 0 errors
// TWICE-COUNT-2: linalg.fill

//--- further.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %forall = transform.structured.tile_using_forall %matmul tile_sizes [32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %small, %loop = transform.structured.tile_using_for %tile tile_sizes [5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %fill into %forall : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %fused : !transform.any_op
    transform.yield
  }
}

//--- loop.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %fill tile_sizes [0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %part, %loops:2 = transform.structured.fuse %matmul tile_sizes [32, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
