// Targets that stand in loops of their own are not fused into each other; one that stands beside
// the other, or around it, may be.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/apart.mlir --static 2>&1 | FileCheck %s --check-prefix=APART
// RUN: formwork apply %t/payload.mlir --transform=%t/apart.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/beside.mlir --static 2>&1 | FileCheck %s --check-prefix=BESIDE

// APART: : proved: 0 errors
// BESIDE: cannot prove that 'transform.structured.fuse' succeeds: fuses more than one target, of which one may be fused into another
// BESIDE: : unproved: 0 errors

//--- payload.mlir
func.func @f(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = linalg.mul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%c : tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = linalg.mul ins(%0, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%c : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}

//--- apart.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["linalg.mul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiles, %loops = transform.structured.tile_using_forall %ops tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %inner = transform.structured.fuse %tiles tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- beside.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["linalg.mul"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %ops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %reversed = transform.merge_handles %second, %first : !transform.any_op
    %fused, %inner = transform.structured.fuse %reversed tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
