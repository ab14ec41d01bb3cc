// To look for a parent that there need not be says nothing of where the op stands: who asks
// again, and needs one, is answered as if nobody had asked.
// RUN: split-file %s %t
// RUN: not formwork check %t/payload.mlir --transform=%t/again.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/again.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: not formwork check --no-payload %t/again.mlir --strict 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not formwork check --no-payload %t/suppressed.mlir --strict 2>&1 | FileCheck %s --check-prefix=AGAIN

// AGAIN: 'transform.get_parent_op' succeeds: asks for a parent that may not exist [fw-unproved]
// NONE: again.mlir:5:13: error: requires a parent op of the wanted kind but the payload of %op has none [fw-no-parent]
// STOCK: error: could not find a parent op that matches all requirements

//--- payload.mlir
func.func @f(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = linalg.exp ins(%a : tensor<16x16xf32>) outs(%b : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

//--- again.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %perhaps = transform.get_parent_op %op {op_name = "scf.for", allow_empty_results} : (!transform.any_op) -> !transform.any_op
    %loop = transform.get_parent_op %op {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- suppressed.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.sequence %op : !transform.any_op failures(suppress) {
    ^bb0(%e: !transform.any_op):
      %perhaps = transform.get_parent_op %e {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    }
    %loop = transform.get_parent_op %op {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
