// An op that a handle holds twice is one producer, which is fused once.
// RUN: formwork check --static --strict %s | FileCheck %s --check-prefix=VERDICT
// RUN: formwork apply %s --validate -o - | FileCheck %s
// VERDICT: : proved: 0 errors, 0 warnings

// CHECK: scf.forall
// CHECK-COUNT-3: linalg.exp
// CHECK-NOT: linalg.exp

func.func @f(%a: tensor<16x8xf32>, %b: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = linalg.exp ins(%a : tensor<16x8xf32>) outs(%b : tensor<16x8xf32>) -> tensor<16x8xf32>
  %1 = linalg.exp ins(%0 : tensor<16x8xf32>) outs(%b : tensor<16x8xf32>) -> tensor<16x8xf32>
  %2 = linalg.exp ins(%1 : tensor<16x8xf32>) outs(%b : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exps = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %second, %third = transform.split_handle %exps
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %tile, %loop = transform.structured.tile_using_forall %third tile_sizes [4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %twice = transform.merge_handles %second, %second : !transform.any_op
    %fused, %loop_1 = transform.structured.fuse_into_containing_op %twice into %loop
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thrice = transform.merge_handles %first, %first, %first : !transform.any_op
    %last, %loop_2 = transform.structured.fuse_into_containing_op %thrice into %loop_1
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %last "fused" : !transform.any_op
    transform.yield
  }
}
