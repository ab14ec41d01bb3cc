// A producer is fused where the loop that it is fused into reads it, not where a tile of
// the tile does: a loop in between does not hold it.
// RUN: formwork check %inputs/chain.mlir --transform=%s 2>&1 | FileCheck %s
// RUN: not mlir-opt %inputs/chain.mlir --transform-preload-library=transform-library-paths=%s --transform-interpreter -o %t.mlir 2>&1 | FileCheck %s --check-prefix=STOCK

// CHECK: cannot prove that 'transform.structured.fuse_into_containing_op' succeeds: fuses a producer that is not known to stand beside the containing op
// STOCK: could not find next producer to fuse into container

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %m : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %a, %outer = transform.structured.tile_using_for %matmul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %b, %between = transform.structured.tile_using_for %a tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %outer2 = transform.structured.fuse_into_containing_op %add into %outer : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %c, %inner = transform.structured.tile_using_for %b tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %again, %inner2 = transform.structured.fuse_into_containing_op %fused into %inner : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
