// MLIR's interpreter lets no step rewrite the op in which the schedule stands. Where both are
// in one file that is the module; Formwork itself takes them apart before it runs anything.
// RUN: not formwork check %s --strict 2>&1 | FileCheck %s
// RUN: not mlir-opt %s --transform-interpreter -o %t 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: formwork apply %s -o %t

// CHECK: own-module.mlir:18:5: warning: cannot prove that 'transform.apply_cse' succeeds: can fail: cannot apply transform to itself (or one of its ancestors) [fw-unproved]
// CHECK: 3 steps, 1 unproved
// STOCK: error: cannot apply transform to itself (or one of its ancestors)

func.func @f() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.apply_cse to %m : !transform.any_op
    transform.yield
  }
}
