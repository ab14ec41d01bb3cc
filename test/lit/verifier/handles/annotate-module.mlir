// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: not mlir-opt %s --transform-interpreter 2>&1 | FileCheck %s --check-prefix=UPSTREAM

// CHECK: warning: cannot prove that 'transform.annotate' succeeds: may give a module an attribute without the prefix of a dialect, which is not valid [fw-unproved]
// CHECK: unproved: 0 errors
// UPSTREAM: op can only contain attributes with dialect-prefixed names, found: 'seen'
module {
  func.func @f() {
    return
  }
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
      transform.annotate %module "seen" : !transform.any_op
      transform.yield
    }
  }
}
