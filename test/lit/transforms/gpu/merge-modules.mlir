// RUN: formwork-opt %s --formwork-gpu-merge-modules | FileCheck %s

// CHECK-LABEL: func.func @host
// CHECK: gpu.launch_func @first::@kernel blocks
// CHECK: gpu.launch_func @first::@[[RENAMED:kernel_[0-9]+]] blocks
// CHECK: gpu.launch_func @first::@other blocks

// CHECK: gpu.module @first
// CHECK-DAG: gpu.func @kernel(
// CHECK-DAG: gpu.func @[[RENAMED]](
// CHECK-DAG: gpu.func @other(
// CHECK-NOT: gpu.module

module attributes {gpu.container_module} {
  func.func @host(%a: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @first::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>)
    gpu.launch_func @second::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>)
    gpu.launch_func @second::@other blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>)
    return
  }
  gpu.module @first {
    gpu.func @kernel(%a: memref<4xf32>) kernel { gpu.return }
  }
  gpu.module @second {
    gpu.func @kernel(%a: memref<4xf32>) kernel { gpu.return }
    gpu.func @other(%a: memref<4xf32>) kernel { gpu.return }
  }
}
