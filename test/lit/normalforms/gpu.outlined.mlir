// Normalization to @gpu.outlined: kernels are functions of a GPU module.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: gpu.module @kernels {
// CHECK-NEXT: gpu.func @k(%[[ARG0:.+]]: memref<64xf32>, %[[ARG1:.+]]: f32) kernel {
// CHECK-NEXT: %[[THREAD_ID_X:.+]] = gpu.thread_id  x
// CHECK-NEXT: memref.store %[[ARG1]], %[[ARG0]][%[[THREAD_ID_X]]] : memref<64xf32>
// CHECK-NEXT: gpu.return
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK: func.func @f(%[[ARG0]]: memref<64xf32>, %[[ARG1]]: f32) {
// CHECK-NEXT: %[[C1:.+]] = arith.constant 1 : index
// CHECK-NEXT: %[[C64:.+]] = arith.constant 64 : index
// CHECK-NEXT: gpu.launch_func  @kernels::@k blocks in (%[[C1]], %[[C1]], %[[C1]]) threads in (%[[C64]], %[[C1]], %[[C1]])  args(%[[ARG0]] : memref<64xf32>, %[[ARG1]] : f32)
// CHECK-NEXT: return
// CHECK-NEXT: }
module attributes {gpu.container_module, transform.with_named_sequence} {
  gpu.module @kernels {
    gpu.func @k(%m: memref<64xf32>, %s: f32) kernel {
      %0 = gpu.thread_id x
      memref.store %s, %m[%0] : memref<64xf32>
      gpu.return
    }
  }
  func.func @f(%m: memref<64xf32>, %s: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<64xf32>, %s : f32)
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @gpu.outlined : !transform.any_op
    transform.normalform.assert %f is @gpu.outlined : !transform.any_op
    transform.yield
  }
}
