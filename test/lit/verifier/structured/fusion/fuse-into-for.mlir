// Producers that the loops of a tile read are fused into them, whatever loops they are; an op that
// the tile writes goes through the arguments of an scf.for, where it is not found.
// RUN: split-file %s %t
// RUN: formwork check %inputs/chain.mlir --transform=%t/read.mlir --strict
// RUN: formwork apply %inputs/chain.mlir --transform=%t/read.mlir --validate -o %t/out.mlir
// RUN: formwork check %inputs/chain.mlir --transform=%t/written.mlir 2>&1 | FileCheck %s
// RUN: not mlir-opt %inputs/chain.mlir --transform-preload-library=transform-library-paths=%t/written.mlir --transform-interpreter -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=STOCK

// CHECK: cannot prove that 'transform.structured.fuse_into_containing_op' succeeds: fuses a result that an op in a loop other than scf.forall may write, where MLIR does not find a destination
// STOCK: could not fuse

//--- read.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %m : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %matmul tile_sizes [4, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %fused, %loop = transform.structured.fuse_into_containing_op %add into %loops#0 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiled, %inner:2 = transform.structured.tile_using_for %fused tile_sizes [2, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- written.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %matmul tile_sizes [4, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %fused, %loop = transform.structured.fuse_into_containing_op %fill into %loops#0 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
