// Formwork's check, as a pass of the stock mlir-opt.
// REQUIRES: plugin
// RUN: not mlir-opt %load-plugin %s --pass-pipeline='builtin.module(formwork-check)' 2>&1 | FileCheck %s
// RUN: not mlir-opt %load-plugin %s --pass-pipeline='builtin.module(formwork-interpreter)' 2>&1 | FileCheck %s
// RUN: not mlir-opt %load-plugin %s --pass-pipeline='builtin.module(formwork-check{entry-point=other})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// RUN: not mlir-opt %load-plugin %s --pass-pipeline='builtin.module(formwork-check{target=sm_1})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TARGET
// RUN: not mlir-opt %load-plugin %s --pass-pipeline='builtin.module(formwork-check{forms=none.mlir})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FORMS

// CHECK: check.mlir:[[#@LINE+13]]:5: error: requires a valid handle but {{.*}} [fw-use-after-consume]
// OTHER: error: requires a transform.named_sequence @other with a body but has none [fw-no-entry-point]
// TARGET: error: unknown target 'sm_1'; one of sm_70 {{.*}}sm_90
// FORMS: error: could not open input file none.mlir

module attributes {transform.with_named_sequence} {
  func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x64xf32>, %C: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %r = linalg.matmul ins(%A, %B : tensor<64x32xf32>, tensor<32x64xf32>) outs(%C : tensor<64x64xf32>) -> tensor<64x64xf32>
    return %r : tensor<64x64xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %matmul "late" : !transform.any_op
    transform.yield
  }
}
