// Normalization to @tensor.no_empty: ops write where their result is inserted, not a fresh tensor.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: tensor<64xf32>, %[[ARG1:.+]]: index) -> tensor<64xf32> {
// CHECK-NEXT: %[[CST:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[EXTRACTED_SLICE:.+]] = tensor.extract_slice %[[ARG0]][%[[ARG1]]] [16] [1] : tensor<64xf32> to tensor<16xf32>
// CHECK-NEXT: %[[V0:.+]] = linalg.fill ins(%[[CST]] : f32) outs(%[[EXTRACTED_SLICE]] : tensor<16xf32>) -> tensor<16xf32>
// CHECK-NEXT: %[[INSERTED_SLICE:.+]] = tensor.insert_slice %[[V0]] into %[[ARG0]][%[[ARG1]]] [16] [1] : tensor<16xf32> into tensor<64xf32>
// CHECK-NEXT: return %[[INSERTED_SLICE]] : tensor<64xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%out: tensor<64xf32>, %i: index) -> tensor<64xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<16xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<16xf32>) -> tensor<16xf32>
    %2 = tensor.insert_slice %1 into %out[%i] [16] [1] : tensor<16xf32> into tensor<64xf32>
    return %2 : tensor<64xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @tensor.no_empty : !transform.any_op
    transform.normalform.assert %f is @tensor.no_empty : !transform.any_op
    transform.yield
  }
}
