// Normalization to @linalg.tiled: sizes, offsets and bounds that tiling made are folded into types.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: tensor<80x32xf32>, %[[ARG1:.+]]: index) -> tensor<?x?xf32> {
// CHECK-NEXT: %[[CST:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[EXTRACTED_SLICE:.+]] = tensor.extract_slice %[[ARG0]][%[[ARG1]], 0] [16, 32] [1, 1] : tensor<80x32xf32> to tensor<16x32xf32>
// CHECK-NEXT: %[[V0:.+]] = linalg.fill ins(%[[CST]] : f32) outs(%[[EXTRACTED_SLICE]] : tensor<16x32xf32>) -> tensor<16x32xf32>
// CHECK-NEXT: %[[CAST:.+]] = tensor.cast %[[V0]] : tensor<16x32xf32> to tensor<?x?xf32>
// CHECK-NEXT: return %[[CAST]] : tensor<?x?xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<80x32xf32>, %i: index) -> tensor<?x?xf32> {
    %zero = arith.constant 0.0 : f32
    %size = affine.min affine_map<(d0) -> (16, 80)>(%i)
    %slice = tensor.extract_slice %a[%i, 0] [%size, 32] [1, 1] : tensor<80x32xf32> to tensor<?x32xf32>
    %cast = tensor.cast %slice : tensor<?x32xf32> to tensor<?x?xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%cast : tensor<?x?xf32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @linalg.tiled : !transform.any_op
    transform.normalform.assert %f is @linalg.tiled : !transform.any_op
    transform.yield
  }
}
