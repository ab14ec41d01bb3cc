// Each clause of @memref.canonical, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// no-self-copies.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<8xf32>) {
    // expected-note @below {{requires copies between different buffers but 'memref.copy' copies a buffer to itself (no-self-copies.c1)}}
    // expected-note @below {{requires payload that the rules of @memref.canonical do not change but they would fire: FoldSelfCopy x1}}
    memref.copy %m, %m : memref<8xf32> to memref<8xf32>
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @memref.canonical but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @memref.canonical : !transform.any_op
    transform.yield
  }
}

// -----

// memref.canonical.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<64x64xf32>, %i: index) -> f32 {
    %0 = memref.subview %m[%i, 0] [16, 64] [1, 1] : memref<64x64xf32> to memref<16x64xf32, strided<[64, 1], offset: ?>>
    // expected-note @below {{requires copies between different buffers but 'memref.copy' copies a buffer to itself (no-self-copies.c1)}}
    memref.copy %0, %0 : memref<16x64xf32, strided<[64, 1], offset: ?>> to memref<16x64xf32, strided<[64, 1], offset: ?>>
    // expected-note @below {{requires payload that the rules of @memref.canonical do not change but they would fire: LoadOpOfSubViewOpFolder<mlir::memref::LoadOp> x1, FoldSelfCopy x1}}
    %1 = memref.load %0[%i, %i] : memref<16x64xf32, strided<[64, 1], offset: ?>>
    return %1 : f32
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @memref.canonical but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @memref.canonical : !transform.any_op
    transform.yield
  }
}
