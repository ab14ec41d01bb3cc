// A matmul of which one input is transposed has the loops that it had: it can be tiled
// and fused.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/schedule.mlir --strict
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir --validate -o %t/out.mlir
// RUN: not formwork check %t/payload.mlir --transform=%t/again.mlir 2>&1 | FileCheck %s
// RUN: not mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/again.mlir --transform-interpreter -o %t/out.mlir

// CHECK: not supported

//--- payload.mlir
func.func @f(%A: tensor<?x8xf32>, %B: tensor<8x16xf32>, %C: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%C : tensor<?x16xf32>) -> tensor<?x16xf32>
  %r = linalg.matmul ins(%A, %B : tensor<?x8xf32>, tensor<8x16xf32>) outs(%start : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
func.func @g(%A: tensor<2x4x8xf32>, %B: tensor<2x8x16xf32>, %C: tensor<2x4x16xf32>) -> tensor<2x4x16xf32> {
  %r = linalg.batch_matmul ins(%A, %B : tensor<2x4x8xf32>, tensor<2x8x16xf32>) outs(%C : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  return %r : tensor<2x4x16xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %other = transform.structured.match ops{["linalg.batch_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %batch = transform.structured.transpose_matmul %other <rhs> : (!transform.any_op) -> !transform.any_op
    %small, %nest:4 = transform.structured.tile_using_for %batch tile_sizes [1, 2, 4, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %one = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %turned = transform.structured.transpose_matmul %one : (!transform.any_op) -> !transform.op<"linalg.matmul">
    %tile, %loops:2 = transform.structured.fuse %turned tile_sizes [3, 3] {apply_cleanup} : (!transform.op<"linalg.matmul">) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- again.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %one = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %turned = transform.structured.transpose_matmul %one : (!transform.any_op) -> !transform.any_op
    %back = transform.structured.transpose_matmul %turned : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
