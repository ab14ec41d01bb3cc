// A tile of an op on buffers is on buffers, and one of an op on tensors is not, as long as
// nothing bufferizes it.
// RUN: split-file %s %t
// RUN: formwork check %t/buffers.mlir --transform=%t/schedule.mlir --strict
// RUN: formwork apply %t/buffers.mlir --transform=%t/schedule.mlir --validate -o %t.out
// RUN: not formwork check %t/tensors.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s
// RUN: not mlir-opt %t/tensors.mlir --transform-preload-library=transform-library-paths=%t/schedule.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: formwork check %t/tensors.mlir --transform=%t/bufferized.mlir 2>&1 | FileCheck %s --check-prefix=BUFFERIZED

// CHECK: error: fails here: failed to apply [fw-step-fails]
// STOCK: error: failed to apply
// BUFFERIZED: unproved: 0 errors

//--- buffers.mlir
func.func @f(%a: memref<16x16xf32>, %b: memref<16x16xf32>) {
  linalg.matmul ins(%a, %a : memref<16x16xf32>, memref<16x16xf32>) outs(%b : memref<16x16xf32>)
  return
}

//--- tensors.mlir
func.func @f(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%b : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %loops = transform.structured.convert_to_loops %tile : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- bufferized.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %module = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %again = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.convert_to_loops %again : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
