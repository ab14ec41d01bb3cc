// A step that first comes to a target that it refuses, where nobody sees that, leaves the
// other targets alone; and what is in a loop that never runs is gone before anybody looks.
// RUN: split-file %s %t
// RUN: formwork check --static %t/hidden.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/hidden.mlir --unchecked -o %t/out.mlir
// RUN: not formwork check --static %t/runs.mlir 2>&1 | FileCheck %s --check-prefix=RUNS
// RUN: sed 's/to %%c16/to %%c0/' %t/runs.mlir > %t/gone.mlir
// RUN: formwork check --static %t/gone.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/gone.mlir --unchecked -o %t/out.mlir

// CHECK: : unproved: 0 errors
// RUNS: error: requires one mapping attribute per tiled loop but has 2 for 1 [fw-mapping-rank]

//--- hidden.mlir
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
  linalg.exp ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%x: !transform.any_op):
      %all = transform.structured.match in %x : (!transform.any_op) -> !transform.any_op
      %tile, %forall = transform.structured.tile_using_forall %all tile_sizes [32](mapping = [#gpu.block<x>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}

//--- runs.mlir
func.func @f(%x: tensor<64xf32>, %y: tensor<64xf32>, %step: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %r = scf.for %i = %c0 to %c16 step %step iter_args(%z = %y) -> (tensor<64xf32>) {
    %exp = linalg.exp ins(%x : tensor<64xf32>) outs(%z : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %exp : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %forall = transform.structured.tile_using_forall %exp tile_sizes [32](mapping = [#gpu.block<x>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
