// The verifier as a pass: its findings, and what it infers after every step.
// RUN: formwork-opt %s --formwork-check --split-input-file --verify-diagnostics
// RUN: formwork-opt %s --formwork-check --split-input-file 2> %t.err | FileCheck %s
// RUN: not formwork-opt %s --formwork-check=entry-point=none --split-input-file 2>&1 | FileCheck %s --check-prefix=NONE

// NONE: [fw-no-entry-point]

// The wrapper that the parser puts around a file begins where the file does.
// RUN: echo 'func.func @f() { return }' > %t.bare.mlir
// RUN: not formwork-opt %t.bare.mlir --formwork-check 2>&1 | FileCheck %s --check-prefix=BARE
// BARE: bare.mlir:1:1: error: requires a transform.named_sequence @__transform_main with a body but has none [fw-no-entry-point]

// Nothing is changed.
// CHECK: func.func @f
// CHECK: transform.named_sequence @__transform_main
module attributes {transform.with_named_sequence} {
  func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x64xf32>, %C: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %r = linalg.matmul ins(%A, %B : tensor<64x32xf32>, tensor<32x64xf32>) outs(%C : tensor<64x64xf32>) -> tensor<64x64xf32>
    return %r : tensor<64x64xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
