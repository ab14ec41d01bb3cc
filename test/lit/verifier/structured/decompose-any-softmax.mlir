// Without a payload, too, a softmax is none of the structured ops, and holds none: handles to those stay valid.
// RUN: formwork check --no-payload %s 2>&1 | FileCheck %s
// CHECK-NOT: invalidated
// CHECK: : unproved: 0 errors

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %structured = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %parts = transform.structured.decompose_interface %softmax : (!transform.any_op) -> !transform.any_op
    transform.annotate %structured "seen" : !transform.any_op
    transform.annotate %loops "seen" : !transform.any_op
    transform.yield
  }
}
