// Bufferization inside of a function leaves a tensor of its argument's buffer, which it
// does not take itself.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: not formwork apply %s 2>&1 | FileCheck %s --check-prefix=FAILS

// CHECK: cannot prove that 'transform.bufferization.one_shot_bufferize' succeeds: may fail to bufferize: an earlier step may have added 'bufferization.to_tensor' that is not 'restrict'
// RUN: sed 's/%once = .*/%once = transform.merge_handles %f, %root : !transform.any_op/' %s > %t.mlir
// RUN: formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not formwork apply %t.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// NESTED: cannot prove that 'transform.bufferization.one_shot_bufferize' succeeds: may bufferize the same payload twice
// FAILS: to_tensor ops without `restrict` are not supported by One-Shot Analysis

func.func @f(%t: tensor<?xf32>, %v: vector<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_write %v, %t[%c0] : vector<4xf32>, tensor<?xf32>
  return %r : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %once = transform.bufferization.one_shot_bufferize %f : (!transform.any_op) -> !transform.any_op
    %twice = transform.bufferization.one_shot_bufferize %once : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
