// RUN: not formwork check %s --allow-unregistered-dialect 2>&1 | FileCheck %s

// MLIR's own verifier reads the effects of this op without asking whether it
// has any.
// CHECK: :[[@LINE+9]]:9: error: requires a registered transform op in the body of a foreach but has 'transform.of_another_tool' [fw-not-a-transform-op]
module {
  func.func @f() {
    return
  }
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
      transform.foreach %module : !transform.any_op {
      ^bb0(%one: !transform.any_op):
        "transform.of_another_tool"(%one) : (!transform.any_op) -> ()
      }
      transform.yield
    }
  }
}
