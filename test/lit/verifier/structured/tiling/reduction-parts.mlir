// A reduction is done in parts where they can begin with a value that changes nothing,
// and where nothing else is tiled.
// RUN: formwork check %s --strict
// RUN: formwork apply %s --validate -o - | FileCheck %s
// RUN: sed 's/arith.addf/arith.subf/' %s > %t.mlir
// RUN: formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not formwork apply %t.mlir --unchecked -o - 2>&1 | FileCheck %s --check-prefix=NEUTRAL
// RUN: sed 's/num_threads = \[0, 4\]/num_threads = [4, 4]/' %s > %t.mlir
// RUN: not formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not formwork apply %t.mlir --unchecked -o - 2>&1 | FileCheck %s --check-prefix=PARALLEL
// RUN: sed 's/num_threads = \[0, 4\]/num_threads = [0, 0]/' %s > %t.mlir
// RUN: formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not formwork apply %t.mlir --unchecked -o - 2>&1 | FileCheck %s --check-prefix=NOLOOP

// CHECK: scf.for
// CHECK: linalg.reduce
// CHECK: scf.forall
// CHECK: linalg.reduce
// OPEN: cannot prove that 'transform.structured.tile_reduction_using_forall' succeeds: tiles an op that may not be a reduction that can be computed in parts
// NEUTRAL: Failed to get an identity value for the reduction operation
// REFUSED: error: requires tiled dimensions to be reductions but dimension 0 of 'linalg.generic' is parallel [fw-not-a-reduction]
// PARALLEL: tiling parallel dimensions is not supported
// NOLOOP: expected to produce 4 results

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @f(%a: tensor<16x12xf32>, %b: tensor<12x8xf32>, %c: tensor<16x8xf32>, %v: tensor<16xf32>) -> (tensor<16x8xf32>, tensor<16xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<16x12xf32>, tensor<12x8xf32>) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<16x12xf32>) outs(%v : tensor<16xf32>) attrs = {sum} {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %0, %1 : tensor<16x8xf32>, tensor<16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill, %split, %merge, %loop = transform.structured.tile_reduction_using_for %m by tile_sizes = [0, 0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %g = transform.structured.match attributes {sum} in %root : (!transform.any_op) -> !transform.any_op
    %fill2, %split2, %merge2, %loop2 = transform.structured.tile_reduction_using_forall %g by num_threads = [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
