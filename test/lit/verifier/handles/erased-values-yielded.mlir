// To yield a handle to values that may all be erased is a use, even if nothing uses the result.
// RUN: formwork check %s 2>&1 | FileCheck %s
// CHECK: warning: cannot prove that 'transform.yield' succeeds: uses %value, whose values may all have been erased
// CHECK: unproved: 0 errors
// RUN: sed '/transform.apply_dce/d' %s > %t.kept.mlir
// RUN: formwork check --strict %t.kept.mlir

func.func @f(%i: index) {
  %unread = arith.addi %i, %i : index
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @clean(%m: !transform.any_op {transform.readonly}) -> !transform.any_value {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %add = transform.structured.match ops{["arith.addi"]} in %m : (!transform.any_op) -> !transform.any_op
    %value = transform.get_result %add[0] : (!transform.any_op) -> !transform.any_value
    transform.apply_dce to %f : !transform.any_op
    transform.yield %value : !transform.any_value
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %value = transform.include @clean failures(propagate) (%m) : (!transform.any_op) -> !transform.any_value
    transform.yield
  }
}
