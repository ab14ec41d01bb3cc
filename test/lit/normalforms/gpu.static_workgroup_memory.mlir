// Normalization to @gpu.static_workgroup_memory: workgroup memory is a global or an attribution.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: memref.global "private" @tile : memref<64xf32, #gpu.address_space<workgroup>>
// CHECK: func.func @f(%[[ARG0:.+]]: index) -> f32 {
// CHECK-NEXT: %[[V0:.+]] = memref.get_global @tile : memref<64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: %[[V1:.+]] = memref.load %[[V0]][%[[ARG0]]] : memref<64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: return %[[V1]] : f32
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  memref.global "private" @tile : memref<64xf32, #gpu.address_space<workgroup>>
  func.func @f(%i: index) -> f32 {
    %tile = memref.get_global @tile : memref<64xf32, #gpu.address_space<workgroup>>
    %0 = memref.load %tile[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    return %0 : f32
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @gpu.static_workgroup_memory : !transform.any_op
    transform.normalform.assert %f is @gpu.static_workgroup_memory : !transform.any_op
    transform.yield
  }
}
