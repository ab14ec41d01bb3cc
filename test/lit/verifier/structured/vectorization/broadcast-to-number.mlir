// A product of which one factor lacks a dimension of size 1 is not summed to one
// number: MLIR drops the dimension from the contraction, which is not valid then.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: not formwork apply --unchecked %s 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: sed 's/reduction_to_contract/lower_multi_reduction/' %s > %t.mlir
// RUN: formwork check --static --strict %t.mlir
// RUN: formwork apply --unchecked %t.mlir -o %t.out.mlir
// CHECK: cannot prove that 'transform.apply_patterns' succeeds: may drop a dimension of a contraction to one number
// CHECK: unproved: 0 errors
// FAILS: 'vector.contract' op invalid accumulator/result vector shape

func.func @f(%a: memref<4xf32>, %b: memref<1x4xf32>, %r: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%a, %b : memref<4xf32>, memref<1x4xf32>) outs(%r : memref<f32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %generic = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %generic : !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.transfer_permutation_patterns
    } : !transform.any_op
    transform.yield
  }
}
