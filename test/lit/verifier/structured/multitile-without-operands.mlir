// MLIR reads sizes that are not there for an op without operands.
// RUN: formwork check --static %s 2>&1 | FileCheck %s

// CHECK: computes sizes of a loop that is not known [fw-unproved]
// CHECK: : unproved: 0 errors

func.func @f() {
  linalg.generic {indexing_maps = [], iterator_types = ["parallel", "parallel"]} attrs = {target} {
    linalg.yield
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match attributes {target} in %m : (!transform.any_op) -> !transform.any_op
    %low, %high, %point = transform.structured.multitile_sizes %op {dimension = 1, target_size = 16} : (!transform.any_op) -> !transform.param<i64>
    transform.yield
  }
}
