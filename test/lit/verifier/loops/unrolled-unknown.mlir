// An op that a match may have found in a loop is there, or may be there, whatever its kind is:
// unrolling makes more of that, and of nothing else. No mask is among it.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/plain.mlir --strict
// RUN: formwork apply %t/payload.mlir --transform=%t/plain.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/masked.mlir 2>&1 | FileCheck %s

// CHECK: runs 'transform.apply_patterns.vector.reduction_to_contract' where a vector.mask may be

//--- payload.mlir
func.func @f(%A: tensor<4x6xf32>, %B: tensor<6x8xf32>, %C: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.matmul ins(%A, %B : tensor<4x6xf32>, tensor<6x8xf32>) outs(%C : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

//--- plain.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @vectorize(%op: !transform.any_op {transform.consumed}) {
    transform.structured.vectorize %op : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %outer, %loop = transform.structured.tile_using_for %matmul tile_sizes [1, 0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.apply_patterns to %loop {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
    } : !transform.any_op
    %all = transform.structured.match interface{LinalgOp} in %loop : (!transform.any_op) -> !transform.any_op
    transform.include @vectorize failures(suppress) (%all) : (!transform.any_op) -> ()
    transform.loop.unroll %loop {factor = 2 : i64} : !transform.any_op
    transform.loop.unroll %outer {factor = 2 : i64} : !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.reduction_to_contract
    } : !transform.any_op
    transform.yield
  }
}

//--- masked.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @vectorize(%op: !transform.any_op {transform.consumed}) {
    transform.structured.vectorize %op vector_sizes [1, 8, 8] : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %all = transform.structured.match interface{LinalgOp} in %loop : (!transform.any_op) -> !transform.any_op
    transform.include @vectorize failures(suppress) (%all) : (!transform.any_op) -> ()
    transform.loop.unroll %loop {factor = 2 : i64} : !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.reduction_to_contract
    } : !transform.any_op
    transform.yield
  }
}
