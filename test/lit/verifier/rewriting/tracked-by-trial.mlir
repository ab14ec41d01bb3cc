// What takes the place of an op depends on each op there: whether a handle can follow, a trial
// says.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/kept.mlir 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: formwork apply %t/payload.mlir --transform=%t/kept.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/lost.mlir 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: not mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/lost.mlir --transform-interpreter -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=FAILS

// KEPT: : proved: 0 errors
// LOST: cannot prove that 'transform.apply_patterns' succeeds: may replace payload of %pad, which is used later, by something that no handle can follow
// LOST: : unproved: 0 errors
// FAILS: error: tracking listener failed to find replacement op

//--- payload.mlir
func.func @f(%a: tensor<1x8xf32>, %b: tensor<1x8xf32>, %c: tensor<4x8xf32>, %d: tensor<4x8xf32>) -> (tensor<2x8xf32>, tensor<4x8xf32>) {
  %x = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<1x8xf32> to tensor<2x8xf32>
  %1 = linalg.exp ins(%c : tensor<4x8xf32>) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<2x8xf32>, tensor<4x8xf32>
}

//--- kept.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %whole = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %whole tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
    } : !transform.any_op
    transform.annotate %tile "test.mark" : !transform.any_op
    transform.yield
  }
}

//--- lost.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %pad = transform.structured.match ops{["tensor.pad"]} in %m : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.decompose_pad
    } : !transform.any_op
    transform.annotate %pad "test.mark" : !transform.any_op
    transform.yield
  }
}
