// The pass asks what the command asks: whether steps rewrite what holds their
// schedule, which MLIR's interpreter refuses, and about all values of knobs.
// RUN: split-file %s %t
// RUN: formwork-opt %t/own.mlir --formwork-check=unproved -o /dev/null 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: %formwork check --static %t/own.mlir 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: not mlir-opt %t/own.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: not formwork-opt %t/knob.mlir --formwork-check 2>&1 | FileCheck %s --check-prefix=KNOB
// RUN: not %formwork check --static %t/knob.mlir 2>&1 | FileCheck %s --check-prefix=KNOB

// OWN: cannot prove that 'transform.apply_cse' succeeds: can fail: cannot apply transform to itself (or one of its ancestors) [fw-unproved]
// STOCK: cannot apply transform to itself (or one of its ancestors)
// KNOB: error: {{.*}} [fw-param-infeasible]

//--- own.mlir
module attributes {transform.with_named_sequence} {
  func.func @f() {
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.apply_cse to %root : !transform.any_op
    transform.yield
  }
}

//--- knob.mlir
module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    return %r : tensor<64x64xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile = transform.tune.knob<"tile"> options = [7, 9] -> !transform.param<i64>
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [%tile] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %tiled : !transform.any_op
    transform.yield
  }
}
