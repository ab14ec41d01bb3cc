// Hoisting a slice of what a loop carries leaves an argument of the loop in its place: the operand
// has no producer any more.
// RUN: formwork check --static %s 2>&1 | FileCheck %s

// CHECK: warning: cannot prove that 'transform.get_producer_of_operand' succeeds: asks for the producer of an operand that may have none [fw-unproved]
// CHECK: : unproved: 0 errors

func.func @f(%a: tensor<8x4xf32>, %from: index, %to: index, %by: index) -> tensor<8x4xf32> {
  %r = scf.for %i = %from to %to step %by iter_args(%t = %a) -> (tensor<8x4xf32>) {
    %s = tensor.extract_slice %t[0, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    %e = linalg.exp ins(%s : tensor<1x4xf32>) outs(%s : tensor<1x4xf32>) -> tensor<1x4xf32>
    %n = tensor.insert_slice %e into %t[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
    scf.yield %n : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %loop : !transform.any_op
    %producer = transform.get_producer_of_operand %exp[1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
