// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// fw-no-online-softmax: no step
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a step of at least 1 but has 0 [fw-no-online-softmax]}}
    %p, %l = transform.formwork.online_softmax %op step = [0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-no-online-softmax: two steps
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires one step but has 2 [fw-no-online-softmax]}}
    %p, %l = transform.formwork.online_softmax %op step = [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-no-online-softmax: no product
func.func @f(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-note @below {{payload op}}
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x16xf32>) outs(%y : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %p : tensor<8x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a product on tensors but has 'linalg.softmax' [fw-no-online-softmax]}}
    %p, %l = transform.formwork.online_softmax %op step = [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-no-online-softmax: no softmax
func.func @f(%x: tensor<8x16xf32>, %v: tensor<16x4xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-note @below {{payload op}}
  %r = linalg.matmul ins(%x, %v : tensor<8x16xf32>, tensor<16x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a product with a softmax but no factor of 'linalg.matmul' is one [fw-no-online-softmax]}}
    %p, %l = transform.formwork.online_softmax %op step = [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-no-online-softmax: a softmax along another loop
func.func @f(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>, %v: tensor<16x4xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %p = linalg.softmax dimension(0) ins(%x : tensor<8x16xf32>) outs(%y : tensor<8x16xf32>) -> tensor<8x16xf32>
  // expected-note @below {{payload op}}
  %r = linalg.matmul ins(%p, %v : tensor<8x16xf32>, tensor<16x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a softmax along the loop that 'linalg.matmul' sums over but has one along dimension 0 [fw-no-online-softmax]}}
    %p, %l = transform.formwork.online_softmax %op step = [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-no-online-softmax: a part of each row
func.func @f(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>, %v: tensor<8x4xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x16xf32>) outs(%y : tensor<8x16xf32>) -> tensor<8x16xf32>
  %half = tensor.extract_slice %p[0, 0] [8, 8] [1, 1] : tensor<8x16xf32> to tensor<8x8xf32>
  // expected-note @below {{payload op}}
  %r = linalg.matmul ins(%half, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires slices that take dimension 1 of the softmax as a whole but has another one [fw-no-online-softmax]}}
    %p, %l = transform.formwork.online_softmax %op step = [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// fw-bad-threads: a parameter of no integers
func.func @f(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>, %v: tensor<16x4xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x16xf32>) outs(%y : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.matmul ins(%p, %v : tensor<8x16xf32>, tensor<16x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %name = transform.param.constant "four" -> !transform.any_param
    // expected-error @below {{requires a parameter of integers but has one of other attributes [fw-bad-threads]}}
    %p, %l = transform.formwork.online_softmax %op step = [%name] : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
