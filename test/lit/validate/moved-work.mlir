// A loop in which nothing depends on the iteration is empty once its work has moved in front of it:
// clean-up takes it away, with its bounds.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// RUN: formwork check --static --split-input-file %s 2>&1 | FileCheck %s --check-prefix=CHECKED
// CHECK-COUNT-4: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact
// CHECKED-COUNT-3: : proved: 0 errors

func.func @by_steps(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c2 iter_args(%t = %b) -> (tensor<4x4xf32>) {
    %p = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %p : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loop : !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}

// -----

func.func @by_passes(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c2 iter_args(%t = %b) -> (tensor<4x4xf32>) {
    %p = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %p : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %moved = transform.apply_registered_pass "loop-invariant-code-motion" to %func : (!transform.any_op) -> !transform.any_op
    %clean = transform.apply_registered_pass "canonicalize" to %moved : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @by_a_form(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c2 iter_args(%t = %b) -> (tensor<4x4xf32>) {
    %p = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %p : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.normalform.normalize %root to @loops.invariants_hoisted : !transform.any_op
    transform.yield
  }
}

// -----

// What each iteration reads keeps the loop where it is: a step that needs it is proved.
// CHECKED: : proved: 0 errors
func.func @stays(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %b) -> (tensor<4x4xf32>) {
    %p = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %p : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %moved = transform.apply_registered_pass "loop-invariant-code-motion" to %func : (!transform.any_op) -> !transform.any_op
    %clean = transform.apply_registered_pass "canonicalize" to %moved : (!transform.any_op) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %clean : (!transform.any_op) -> !transform.op<"scf.for">
    %half, %rest = transform.loop.peel %loop {peel_front = true} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
