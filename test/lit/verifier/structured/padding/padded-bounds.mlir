// A size that is not static is padded to its bound: what the payload says, and the size
// of a full tile.
// RUN: split-file %s %t
// RUN: formwork check %t/given.mlir --transform=%t/pad.mlir --strict
// RUN: formwork apply %t/given.mlir --transform=%t/pad.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/whole.mlir --transform=%t/tile.mlir --strict
// RUN: formwork apply %t/whole.mlir --transform=%t/tile.mlir --validate -o - | FileCheck %s
// RUN: formwork check %t/open.mlir --transform=%t/pad.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not formwork apply %t/open.mlir --transform=%t/pad.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: formwork check %t/whole.mlir --transform=%t/threads.mlir --strict
// RUN: formwork apply %t/whole.mlir --transform=%t/threads.mlir --validate -o %t/out.mlir

// Threads without a tile have one of size 0, the maximum of that and what is left.
// RUN: sed 's/num_threads \[5\]/num_threads [16]/' %t/threads.mlir > %t/idle.mlir
// RUN: formwork check %t/whole.mlir --transform=%t/idle.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not formwork apply %t/whole.mlir --transform=%t/idle.mlir 2>&1 | FileCheck %s --check-prefix=FAILS

// CHECK: tensor<5x25xf32>, vector<5x25xf32>
// OPEN: cannot prove that 'transform.structured.pad' succeeds: pads a dimension whose bound is not known
// FAILS: failed to pad op

//--- given.mlir
func.func @f(%A: tensor<24x12xf32>, %B: tensor<12x25xf32>, %C: tensor<24x25xf32>, %i: index) -> tensor<24x25xf32> {
  %size = affine.min affine_map<()[s0] -> (-s0 + 12, 7)>()[%i]
  %a = tensor.extract_slice %A[0, %i] [24, %size] [1, 1] : tensor<24x12xf32> to tensor<24x?xf32>
  %b = tensor.extract_slice %B[%i, 0] [%size, 25] [1, 1] : tensor<12x25xf32> to tensor<?x25xf32>
  %r = linalg.matmul ins(%a, %b : tensor<24x?xf32>, tensor<?x25xf32>) outs(%C : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}

//--- whole.mlir
func.func @f(%A: tensor<24x12xf32>, %B: tensor<12x25xf32>, %C: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%A, %B : tensor<24x12xf32>, tensor<12x25xf32>) outs(%C : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}

//--- open.mlir
func.func @f(%A: tensor<24x?xf32>, %B: tensor<?x25xf32>, %C: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%A, %B : tensor<24x?xf32>, tensor<?x25xf32>) outs(%C : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}

//--- pad.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %padded, %pad, %copy = transform.structured.pad %matmul {
        padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2]}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- tile.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %padded, %pad, %copy = transform.structured.pad %tile {
        padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2]}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %padded : !transform.any_op
    transform.yield
  }
}

//--- threads.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %matmul num_threads [5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %padded, %pad, %copy = transform.structured.pad %tile {
      padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0]
    } : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
