// An op that a step copies or rewrites may carry the attributes of what it is made of, and of
// nothing else; a match of structured ops consumes no loop.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/schedule.mlir --verify-diagnostics
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir --validate -o %t.mlir

//--- payload.mlir
func.func @f(%A: tensor<512x32xf32>, %B: tensor<32x64xf32>, %C: tensor<512x64xf32>) -> tensor<512x64xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill {first} ins(%zero : f32) outs(%C : tensor<512x64xf32>) -> tensor<512x64xf32>
  %r = linalg.matmul {second} ins(%A, %B : tensor<512x32xf32>, tensor<32x64xf32>) outs(%init : tensor<512x64xf32>) -> tensor<512x64xf32>
  return %r : tensor<512x64xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {second} in %m : (!transform.any_op) -> !transform.any_op
    %t, %loop = transform.structured.tile_using_for %a tile_sizes [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %loop {factor = 300} : !transform.any_op
    %b = transform.structured.match attributes {first} in %m : (!transform.any_op) -> !transform.any_op
    %only = transform.cast %b : !transform.any_op to !transform.op<"linalg.fill">
    %c = transform.structured.match attributes {second} in %m : (!transform.any_op) -> !transform.any_op
    // expected-warning@+1 {{cannot prove that 'transform.cast' succeeds: requires payload of kind 'linalg.matmul' for result #0 but may have 'any op' [fw-unproved]}}
    %two = transform.cast %c : !transform.any_op to !transform.op<"linalg.matmul">
    transform.yield
  }
}
