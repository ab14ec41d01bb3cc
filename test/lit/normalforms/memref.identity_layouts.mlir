// Normalization to @memref.identity_layouts: function arguments are contiguous buffers.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: memref<8x64xf32>, %[[ARG1:.+]]: f32) {
// CHECK-NEXT: linalg.fill ins(%[[ARG1]] : f32) outs(%[[ARG0]] : memref<8x64xf32>)
// CHECK-NEXT: return
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<8x64xf32>, %s: f32) {
    linalg.fill ins(%s : f32) outs(%m : memref<8x64xf32>)
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.normalform.normalize %root to @memref.identity_layouts : !transform.any_op
    transform.normalform.assert %root is @memref.identity_layouts : !transform.any_op
    transform.yield
  }
}
