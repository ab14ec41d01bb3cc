// MLIR does not verify that a structured match yields a value for each of its results. A result
// without one is not set, and nothing is known of it.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o %t.out

// CHECK: warning: cannot prove that 'transform.match.structured' succeeds: yields fewer values than it has results [fw-unproved]
// CHECK: unproved: 0 errors

func.func @f(%a: tensor<8xf32>, %b: tensor<8x8xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.matvec ins(%b, %a : tensor<8x8xf32>, tensor<8xf32>) outs(%c : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matvec"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.match.structured %0 : (!transform.any_op) -> !transform.param<i64> {
    ^bb0(%op: !transform.any_op):
      %2 = transform.match.structured.rank %op : (!transform.any_op) -> !transform.param<i64>
    }
    transform.yield
  }
}
