// One tensor that an op writes gets a buffer: an op on buffers has none, and of two tensors,
// none gets one.
// RUN: split-file %s %t
// RUN: not formwork check %t/payload.mlir --transform=%t/buffers.mlir --static 2>&1 | FileCheck %s --check-prefix=BUFFERS
// RUN: not mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/buffers.mlir --transform-interpreter -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: not formwork check %t/payload.mlir --transform=%t/two.mlir --static 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/two.mlir --transform-interpreter -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=FAILS

// BUFFERS: error: requires an op on tensors but 'linalg.fill' is on buffers [fw-bufferized]
// TWO: error: fails here: failed to bufferize operation, as 'linalg.generic' writes 2 tensors [fw-step-fails]
// FAILS: error: failed to bufferize operation

//--- payload.mlir
func.func @f(%m: memref<8xf32>, %v: f32) {
  linalg.fill ins(%v : f32) outs(%m : memref<8xf32>)
  return
}
func.func @g(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a, %b : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %y, %x : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

//--- buffers.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %buffer, %new = transform.structured.bufferize_to_allocation %fill : !transform.any_op
    transform.yield
  }
}

//--- two.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %both = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %buffer, %new = transform.structured.bufferize_to_allocation %both {bufferize_destination_only} : !transform.any_op
    transform.yield
  }
}
