// CSE makes one of two loops that are alike and only yield tensors.
// RUN: split-file %s %t
// RUN: formwork check %t/alike.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s
// RUN: not mlir-opt %t/alike.mlir --transform-preload-library=transform-library-paths=%t/schedule.mlir --transform-interpreter -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: formwork check %t/unlike.mlir --transform=%t/schedule.mlir --strict
// RUN: formwork apply %t/unlike.mlir --transform=%t/schedule.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/buffers.mlir --transform=%t/schedule.mlir --strict
// RUN: formwork apply %t/buffers.mlir --transform=%t/schedule.mlir --validate -o %t/out.mlir
// Ops that hold loops that are alike may be alike, and are not where these are not.
// RUN: formwork check %t/alike.mlir --transform=%t/nested.mlir 2>&1 | FileCheck %s
// RUN: not mlir-opt %t/alike.mlir --transform-preload-library=transform-library-paths=%t/nested.mlir --transform-interpreter -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: formwork check %t/unlike.mlir --transform=%t/nested.mlir --strict
// RUN: formwork apply %t/unlike.mlir --transform=%t/nested.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/buffers.mlir --transform=%t/nested.mlir --strict
// RUN: formwork apply %t/buffers.mlir --transform=%t/nested.mlir --validate -o %t/out.mlir
// RUN: not formwork check %t/alike.mlir --transform=%t/counted.mlir --strict 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not mlir-opt %t/alike.mlir --transform-preload-library=transform-library-paths=%t/counted.mlir --transform-interpreter -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: formwork check %t/unlike.mlir --transform=%t/counted.mlir --strict
// RUN: formwork apply %t/unlike.mlir --transform=%t/counted.mlir --validate -o %t/out.mlir

// CHECK: requires a valid handle but %second#1 may be invalidated on the path through 'transform.loop.unroll'
// STOCK: uses a handle invalidated by a previously executed transform op
// COUNT: 'transform.split_handle'
// ONE: error:

//--- alike.mlir
func.func @f(%a: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}

//--- unlike.mlir
func.func @f(%a: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.exp ins(%a : tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}

//--- buffers.mlir
func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %all = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %all : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %first:2 = transform.structured.tile_using_for %a tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %second:2 = transform.structured.tile_using_for %b tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.loop.unroll %first#1 {factor = 2} : !transform.any_op
    transform.loop.unroll %second#1 {factor = 2} : !transform.any_op
    transform.yield
  }
}

//--- nested.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %all = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %all : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %first:3 = transform.structured.tile_using_for %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %second:3 = transform.structured.tile_using_for %b tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.loop.unroll %first#1 {factor = 2} : !transform.any_op
    transform.loop.unroll %second#1 {factor = 2} : !transform.any_op
    transform.yield
  }
}

//--- counted.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %all = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %all : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %first:3 = transform.structured.tile_using_for %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %second:3 = transform.structured.tile_using_for %b tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %first#1 "outer" : !transform.any_op
    transform.annotate %second#1 "outer" : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    %loops = transform.structured.match ops{["scf.for"]} attributes {outer} in %root : (!transform.any_op) -> !transform.any_op
    %one, %other = transform.split_handle %loops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
