// Each clause of @memref.identity_layouts, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// identity-layouts.c1
// expected-note @below {{payload op}}
module attributes {transform.with_named_sequence} {
  // expected-note @below {{requires function arguments of identity layout but has one of type memref<8x8xf32, strided<[64, 1], offset: ?>> (identity-layouts.c1)}}
  func.func private @g(memref<8x8xf32, strided<[64, 1], offset: ?>>)

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{requires payload in form @memref.identity_layouts but has 'builtin.module' out of it [fw-form-violated]}}
    transform.normalform.assert %root is @memref.identity_layouts : !transform.any_op
    transform.yield
  }
}
