// A pass that fails has changed what it came to. What it leaves is not valid, and no sequence that
// suppresses the failure mends that.
// RUN: split-file %s %t
// RUN: formwork check --static %t/payload.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s

// CHECK: warning: fails here: pass pipeline failed [fw-step-fails]
// CHECK-NOT: fw-hidden-failure
// CHECK: : unproved: 0 errors

//--- payload.mlir
module {
  func.func @f(%token: !async.token) -> !async.token {
    return %token : !async.token
  }
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @convert(%m: !transform.any_op {transform.consumed}) {
    %after = transform.apply_registered_pass "gpu-to-llvm" to %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    transform.include @convert failures(suppress) (%m) : (!transform.any_op) -> ()
    transform.yield
  }
}
