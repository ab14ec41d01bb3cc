// A payload on buffers alone is bufferized, and tiling makes no tensors of them.
// RUN: formwork check %s --strict
// RUN: formwork apply %s --validate -o %t.mlir
// RUN: sed 's/^  return/  %%x = tensor.empty() : tensor<4xf32>\n  return/' %s > %t.tensors.mlir
// RUN: formwork check %t.tensors.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t.tensors.mlir --validate -o %t.mlir
// RUN: formwork check %t.tensors.mlir --goal=bufferized 2>&1 | FileCheck %s --check-prefix=GOAL
// A tensor beside the loop does not keep the loop from being mapped.
// CHECK: : proved: 0 errors
// GOAL: no step establishes the form [fw-missing-goal]

func.func @f(%a: memref<64xf32>, %b: memref<64xf32>) {
  linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.copy"]} in %m : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %0 : (!transform.any_op) -> !transform.any_op
    %tile, %forall = transform.structured.tile_using_forall %generic tile_sizes [8] (mapping = [#gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part, %for = transform.structured.tile_using_for %tile tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %for {factor = 2} : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %f generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
