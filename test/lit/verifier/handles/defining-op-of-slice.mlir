// Hoisting can put the argument of a loop in the place of a slice. No op defines that.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: not formwork apply %s --unchecked -o - 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: grep -v hoist_loop_invariant_subsets %s > %t.mlir
// RUN: formwork check --static --strict %t.mlir

// CHECK: cannot prove that 'transform.get_defining_op' succeeds: may be given a block argument, which no op defines
// FAILS: cannot get defining op of block argument

func.func @f(%a: tensor<8x4xf32>, %from: index, %to: index, %by: index) -> tensor<8x4xf32> {
  %0 = scf.for %i = %from to %to step %by iter_args(%t = %a) -> (tensor<8x4xf32>) {
    %slice = tensor.extract_slice %t[0, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    %exp = linalg.exp ins(%slice : tensor<1x4xf32>) outs(%slice : tensor<1x4xf32>) -> tensor<1x4xf32>
    %whole = tensor.insert_slice %exp into %t[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
    scf.yield %whole : tensor<8x4xf32>
  }
  return %0 : tensor<8x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %loop : !transform.any_op
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %operand = transform.get_operand %exp[0] : (!transform.any_op) -> !transform.any_value
    %slice = transform.get_defining_op %operand : (!transform.any_value) -> !transform.any_op
    transform.yield
  }
}
