// Each clause of @llvm.no_casts, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// no-casts.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: i64) -> index {
    // expected-note @below {{requires resolved conversions but has 'builtin.unrealized_conversion_cast' (no-casts.c1)}}
    %0 = builtin.unrealized_conversion_cast %a : i64 to index
    return %0 : index
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @llvm.no_casts but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @llvm.no_casts : !transform.any_op
    transform.yield
  }
}
