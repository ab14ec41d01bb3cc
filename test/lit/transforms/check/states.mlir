// The verifier infers this after every step.
// RUN: formwork-opt %s --pass-pipeline='builtin.module(formwork-print-states{with-forms=false})' --split-input-file --verify-diagnostics

module attributes {transform.with_named_sequence} {
  func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x64xf32>, %C: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %r = linalg.matmul ins(%A, %B : tensor<64x32xf32>, tensor<32x64xf32>) outs(%C : tensor<64x64xf32>) -> tensor<64x64xf32>
    return %r : tensor<64x64xf32>
  }
  // expected-note @below {{argument #0: valid; 1 builtin.module}}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-remark @below {{after this step}}
    // expected-note @below {{result #0: valid; 1 linalg.matmul}}
    // expected-note @below {{result #0: dead: 18; -}}
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-remark @below {{after this step}}
    // expected-note @below {{result #0: valid; 1 linalg.matmul}}
    // expected-note @below {{result #1: valid; 1 scf.for}}
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A schedule without a payload.
module attributes {transform.with_named_sequence} {
  // expected-note @below {{argument #0: valid; 1 builtin.module}}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-remark @below {{after this step}}
    // expected-note @below {{result #0: valid; param [8]}}
    %size = transform.param.constant 8 : i64 -> !transform.param<i64>
    transform.yield
  }
}
