// Upstream takes the lower half of the number, 0 here, and reads behind the operands.

// RUN: %formwork check --static %s 2>&1 | FileCheck %s
// CHECK: warning: requires the number of an operand of the op but has -9223372036854775808 [fw-no-producer]
// CHECK: unproved: 0 errors

module {
  func.func @f() {
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.get_producer_of_operand %0[-9223372036854775808] : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
}
}
