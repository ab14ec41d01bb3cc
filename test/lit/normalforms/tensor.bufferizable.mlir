// Normalization to @tensor.bufferizable: accumulators are values, and ops write where their result belongs.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: tensor<4x64xf32>, %[[ARG1:.+]]: index) -> tensor<4x64xf32> {
// CHECK-NEXT: %[[CST:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[C0:.+]] = arith.constant 0 : index
// CHECK-NEXT: %[[C1:.+]] = arith.constant 1 : index
// CHECK-NEXT: %[[EXTRACTED_SLICE:.+]] = tensor.extract_slice %[[ARG0]][0, 8] [4, 16] [1, 1] : tensor<4x64xf32> to tensor<4x16xf32>
// CHECK-NEXT: %[[V0:.+]] = scf.for %[[ARG2:.+]] = %[[C0]] to %[[ARG1]] step %[[C1]] iter_args(%[[ARG3:.+]] = %[[EXTRACTED_SLICE]]) -> (tensor<4x16xf32>) {
// CHECK-NEXT: %[[V1:.+]] = linalg.fill ins(%[[CST]] : f32) outs(%[[ARG3]] : tensor<4x16xf32>) -> tensor<4x16xf32>
// CHECK-NEXT: scf.yield %[[V1]] : tensor<4x16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[INSERTED_SLICE:.+]] = tensor.insert_slice %[[V0]] into %[[ARG0]][0, 8] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<4x64xf32>
// CHECK-NEXT: return %[[INSERTED_SLICE]] : tensor<4x64xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%out: tensor<4x64xf32>, %n: index) -> tensor<4x64xf32> {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %out) -> tensor<4x64xf32> {
      %1 = tensor.empty() : tensor<4x16xf32>
      %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<4x16xf32>) -> tensor<4x16xf32>
      %3 = tensor.insert_slice %2 into %acc[0, 8] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<4x64xf32>
      scf.yield %3 : tensor<4x64xf32>
    }
    return %0 : tensor<4x64xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @tensor.bufferizable : !transform.any_op
    transform.normalform.assert %f is @tensor.bufferizable : !transform.any_op
    transform.yield
  }
}
