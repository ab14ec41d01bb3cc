// Normalization to @gpu.launchable: bufferized, mapped, kernels of vectors and scalars.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: memref<64xf32>) {
// CHECK-NEXT: %[[C0:.+]] = arith.constant 0 : index
// CHECK-NEXT: %[[C1:.+]] = arith.constant 1 : index
// CHECK-NEXT: %[[C64:.+]] = arith.constant 64 : index
// CHECK-NEXT: gpu.launch blocks(%[[ARG1:.+]], %[[ARG2:.+]], %[[ARG3:.+]]) in (%[[ARG7:.+]] = %[[C1]], %[[ARG8:.+]] = %[[C1]], %[[ARG9:.+]] = %[[C1]]) threads(%[[ARG4:.+]], %[[ARG5:.+]], %[[ARG6:.+]]) in (%[[ARG10:.+]] = %[[C64]], %[[ARG11:.+]] = %[[C1]], %[[ARG12:.+]] = %[[C1]]) {
// CHECK-NEXT: %[[ALLOC:.+]] = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: %[[V0:.+]] = memref.load %[[ARG0]][%[[ARG4]]] : memref<64xf32>
// CHECK-NEXT: memref.store %[[V0]], %[[ALLOC]][%[[ARG4]]] : memref<64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: gpu.terminator
// CHECK-NEXT: }
// CHECK-NEXT: return
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      %tile = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
      %0 = memref.load %m[%tx] : memref<64xf32>
      memref.store %0, %tile[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.terminator
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @gpu.launchable : !transform.any_op
    transform.normalform.assert %f is @gpu.launchable : !transform.any_op
    transform.yield
  }
}
