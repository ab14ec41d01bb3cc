// MLIR puts a call beside the whole payload into no block: what holds it is not
// known, and neither is what is around it.
// RUN: formwork check --static %s 2>&1 | FileCheck %s

func.func private @called()
func.func @f() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %call = transform.func.cast_and_call @called before %root : (!transform.any_op) -> !transform.any_op
    // CHECK: [[@LINE+1]]:{{.*}}: warning: cannot prove that 'transform.get_parent_op' succeeds
    %around = transform.get_parent_op %call : (!transform.any_op) -> !transform.any_op
    // CHECK: unproved: 0 errors
    transform.yield
  }
}
