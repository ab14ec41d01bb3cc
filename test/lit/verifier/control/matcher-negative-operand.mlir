// MLIR goes by a part of a negative number, and may find an operand there: a matcher that asks for one may fail.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// CHECK: 'transform.get_producer_of_operand' asks for an operand or result with a negative number
// CHECK: unproved: 0 errors
func.func @f() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @functions(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["func.func"] : !transform.any_op
    %producer = transform.get_producer_of_operand %op[-9223372036854775808] : (!transform.any_op) -> !transform.any_op
    transform.yield %producer : !transform.any_op
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %found = transform.collect_matching @functions in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
