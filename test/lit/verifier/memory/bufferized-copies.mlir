// Bufferization copies with the op that it is told to copy with.
// RUN: not formwork check %s --strict 2>&1 | FileCheck %s
// RUN: not formwork apply %s -o %t 2>&1 | FileCheck %s --check-prefix=APPLY

// CHECK: :[[#@LINE+14]]:14: warning: cannot prove that 'transform.split_handle' succeeds
// CHECK: : unproved: 0 errors
// APPLY: expected to contain 2 payloads but it contains 1 payloads
func.func @f(%a: tensor<?xf32>, %b: vector<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %b, %a[%c0] : vector<4xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %buffers = transform.bufferization.one_shot_bufferize %func {memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    %again = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %copies = transform.structured.match interface{LinalgOp} in %again : (!transform.any_op) -> !transform.any_op
    %two:2 = transform.split_handle %copies : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
