// A loop can be mapped when it has no results, though tensors are left at the boundary of the
// function around it.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --static 2>&1 | FileCheck %s
// RUN: formwork apply %inputs/matmul.mlir --transform=%s --validate -o %t
// RUN: sed /one_shot_bufferize/d %s > %t.mlir
// RUN: sed -i s/%%new/%%m/ %t.mlir
// RUN: not formwork check %inputs/matmul.mlir --transform=%t.mlir --static 2>&1 | FileCheck %s --check-prefix=TENSORS

// CHECK: : proved: 0 errors
// TENSORS: [fw-not-bufferized]

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %matmul tile_sizes [8, 8] (mapping = [#gpu.block<y>, #gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %new = transform.bufferization.one_shot_bufferize %m : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %new : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %f generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
