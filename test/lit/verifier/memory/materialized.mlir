// Padding copies back with bufferization.materialize_in_destination, which has to be written where
// the destination is: bufferization fails where that may not be written.
// RUN: split-file %s %t
// RUN: sed s/OPTIONS// %t/schedule.mlir > %t/read-only.mlir
// RUN: not formwork check %t/given.mlir --transform=%t/read-only.mlir --strict 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not mlir-opt %t/given.mlir --transform-preload-library=transform-library-paths=%t/read-only.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: sed "s/OPTIONS/{bufferize_function_boundaries = true}/" %t/schedule.mlir > %t/writable.mlir
// RUN: formwork check %t/given.mlir --transform=%t/writable.mlir --strict 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t/given.mlir --transform=%t/writable.mlir --validate -o %t.out
// RUN: not formwork check %t/shared.mlir --transform=%t/writable.mlir --strict 2>&1 | FileCheck %s --check-prefix=OPEN

// OPEN: may fail to bufferize: a tensor must be materialized in a destination that may be read-only, or read elsewhere [fw-unproved]
// STOCK: not bufferizable under the given constraints
// PROVED: : proved: 0 errors

//--- given.mlir
func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %r = linalg.matmul {t} ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>) outs(%c : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}

//--- shared.mlir
func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<64x48xf32>) -> (tensor<64x48xf32>, tensor<64x48xf32>) {
  %r = linalg.matmul {t} ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>) outs(%c : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %r, %c : tensor<64x48xf32>, tensor<64x48xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %t = transform.structured.match attributes {t} in %m : (!transform.any_op) -> !transform.any_op
    %padded, %pad, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %b = transform.bufferization.one_shot_bufferize %m OPTIONS : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
