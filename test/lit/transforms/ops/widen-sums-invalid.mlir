// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// fw-wrong-kind: no structured operation
func.func @f(%x: f16) -> f16 {
  // expected-note @below {{payload op}}
  %y = arith.addf %x, %x : f16
  return %y : f16
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["arith.addf"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a structured operation but has 'arith.addf' [fw-wrong-kind]}}
    %s, %r = transform.formwork.widen_sums %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-no-narrow-sum: on buffers
func.func @f(%x: memref<8x16xf16>, %v: memref<16x4xf16>, %o: memref<8x4xf16>) {
  // expected-note @below {{payload op}}
  linalg.matmul ins(%x, %v : memref<8x16xf16>, memref<16x4xf16>) outs(%o : memref<8x4xf16>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a structured operation on tensors but 'linalg.matmul' is none [fw-no-narrow-sum]}}
    %s, %r = transform.formwork.widen_sums %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-no-narrow-sum: no reduction
func.func @f(%x: tensor<8xf16>, %o: tensor<8xf16>) -> tensor<8xf16> {
  // expected-note @below {{payload op}}
  %r = linalg.add ins(%x, %x : tensor<8xf16>, tensor<8xf16>) outs(%o : tensor<8xf16>) -> tensor<8xf16>
  return %r : tensor<8xf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a sum but 'linalg.add' has no reduction loop [fw-no-narrow-sum]}}
    %s, %r = transform.formwork.widen_sums %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-no-narrow-sum: a sum of f32. Nothing changes, not the first target either.
func.func @f(%x: tensor<8x16xf16>, %y: tensor<16x4xf16>, %o: tensor<8x4xf16>, %p: tensor<8x4xf32>) -> (tensor<8x4xf16>, tensor<8x4xf32>) {
  %r = linalg.matmul ins(%x, %y : tensor<8x16xf16>, tensor<16x4xf16>) outs(%o : tensor<8x4xf16>) -> tensor<8x4xf16>
  // expected-note @below {{payload op}}
  %s = linalg.matmul ins(%x, %y : tensor<8x16xf16>, tensor<16x4xf16>) outs(%p : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r, %s : tensor<8x4xf16>, tensor<8x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a sum of f16 or bf16 but 'linalg.matmul' makes one of f32 [fw-no-narrow-sum]}}
    %s, %r = transform.formwork.widen_sums %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-no-narrow-sum: a maximum
func.func @f(%x: tensor<8x16xf16>, %o: tensor<8xf16>) -> tensor<8xf16> {
  // expected-note @below {{payload op}}
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<8x16xf16>) outs(%o : tensor<8xf16>) dimensions = [1]
  return %r : tensor<8xf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.reduce"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a sum of floating-point numbers whose terms do not read it but 'linalg.reduce' makes none [fw-no-narrow-sum]}}
    %s, %r = transform.formwork.widen_sums %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
