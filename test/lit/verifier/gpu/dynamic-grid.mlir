// Upstream maps loops to blocks whose number the schedule knows. Where the payload leaves it open, another step does.
// RUN: not %formwork check %s 2>&1 | FileCheck %s
// RUN: sed 's/%%function = .*/%%bands = transform.structured.match ops{["scf.forall"]} in %%bufferized : (!transform.any_op) -> !transform.any_op/; s/gpu.map_forall_to_blocks %%function generate_gpu_launch/formwork.map_forall_to_blocks %%bands/' %s > %t.mlir
// RUN: %formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=MAPPED

// CHECK: error: requires statically sized loops but loop 0 of the scf.forall has a dynamic trip count [fw-dynamic-shape]
// CHECK: note: the scf.forall is made here
// CHECK: note: fix-it: map the scf.forall itself with transform.formwork.map_forall_to_blocks, which counts the blocks when the kernel is launched
// MAPPED: : proved: 0 errors

func.func @double(%a: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = linalg.add ins(%a, %a : tensor<?x64xf32>, tensor<?x64xf32>) outs(%a : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %sum = transform.structured.match ops{["linalg.add"]} in %module : (!transform.any_op) -> !transform.any_op
    %band, %loop = transform.structured.tile_using_forall %sum tile_sizes [32] (mapping = [#gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %bufferized = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %function = transform.structured.match ops{["func.func"]} in %bufferized : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %function generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
