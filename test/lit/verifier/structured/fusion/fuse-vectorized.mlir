// An op that read a producer in a loop and was vectorized there reads it still: that nothing does
// is not sure, and no error.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: formwork apply %s -o - | FileCheck %s --check-prefix=APPLIED

// CHECK-NOT: error:
// CHECK: : proved: 0 errors
// APPLIED: scf.forall
// APPLIED: linalg.fill
// APPLIED: vector.transfer_read

func.func @f(%a: tensor<64x64xf32>, %out: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %x = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.add ins(%a, %f : tensor<64x64xf32>, tensor<64x64xf32>) outs(%out : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %s = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %loop = transform.structured.tile_using_forall %s tile_sizes [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %t : !transform.any_op
    %g, %new = transform.structured.fuse_into_containing_op %f into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
