// A producer fuses into what reads it with any sizes that the reader has loops for;
// of an scf.forall, those beyond are not used.
// RUN: formwork check %inputs/chain.mlir --transform=%s --transform-entry-point=loops --strict
// RUN: formwork apply %inputs/chain.mlir --transform=%s --transform-entry-point=loops --validate -o %t.mlir
// RUN: formwork check %inputs/chain.mlir --transform=%s --transform-entry-point=forall --strict
// RUN: formwork apply %inputs/chain.mlir --transform=%s --transform-entry-point=forall --validate -o %t.mlir
// RUN: not formwork check %inputs/chain.mlir --transform=%s --transform-entry-point=beyond 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not formwork check %inputs/buffers.mlir --transform=%s --transform-entry-point=loops 2>&1 | FileCheck %s --check-prefix=BUFFERS
// RUN: not mlir-opt %inputs/buffers.mlir --transform-preload-library=transform-library-paths=%s --transform-interpreter=entry-point=loops -o %t.mlir

// BEYOND: error: requires at most 2 tile sizes for 'linalg.add' but has 3 [fw-loops-beyond-target]
// BUFFERS: error: requires an op on tensors but 'linalg.matmul' is on buffers [fw-bufferized]

module attributes {transform.with_named_sequence} {
  transform.named_sequence @loops(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.fuse %matmul tile_sizes [4, 0, 8] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @forall(%m: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.fuse %add tile_sizes [4, 0, 8] {use_forall, apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @beyond(%m: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.fuse %add tile_sizes [4, 0, 8] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
