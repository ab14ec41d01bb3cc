// MLIR puts a call beside the whole payload into no block: the handle holds
// nothing of the payload.
// RUN: formwork check --static %s 2>&1 | FileCheck %s

func.func private @called()
func.func @f() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %call = transform.func.cast_and_call @called before %root : (!transform.any_op) -> !transform.any_op
    // CHECK: [[@LINE+1]]:{{.*}}: warning: requires a valid handle but %call may be invalidated {{.*}} [fw-use-after-consume]
    %around = transform.get_parent_op %call : (!transform.any_op) -> !transform.any_op
    // CHECK: unproved: 0 errors
    transform.yield
  }
}
