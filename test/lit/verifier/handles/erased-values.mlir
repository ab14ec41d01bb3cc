// MLIR forgets a handle to values once all of them are erased. A later use reads memory that is not its own, so that no run of this file is
// tried here. A handle to ops is empty then.
// RUN: formwork check %s 2>&1 | FileCheck %s
// CHECK: warning: cannot prove that 'transform.get_defining_op' succeeds: uses %value, whose values may all have been erased: MLIR does not survive that
// CHECK: unproved: 0 errors
// RUN: sed '/^    %%maker/d' %s > %t.ops.mlir
// RUN: formwork check --strict %t.ops.mlir
// RUN: mlir-opt %t.ops.mlir --transform-interpreter -o %t.out.mlir

// As long as one of them stays, a use is safe.
// RUN: sed 's/^    %%value = .*/%%all = transform.merge_handles %%add, %%mul : !transform.any_op\n%%value = transform.get_result %%all[0] : (!transform.any_op) -> !transform.any_value/' %s > %t.one.mlir
// RUN: formwork check --strict %t.one.mlir
// RUN: mlir-opt %t.one.mlir --transform-interpreter -o %t.out.mlir

func.func @f(%i: index) -> index {
  %unread = arith.addi %i, %i : index
  %read = arith.muli %i, %i : index
  return %read : index
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %add = transform.structured.match ops{["arith.addi"]} in %m : (!transform.any_op) -> !transform.any_op
    %mul = transform.structured.match ops{["arith.muli"]} in %m : (!transform.any_op) -> !transform.any_op
    %value = transform.get_result %add[0] : (!transform.any_op) -> !transform.any_value
    transform.apply_dce to %f : !transform.any_op
    %maker = transform.get_defining_op %value : (!transform.any_value) -> !transform.any_op
    transform.debug.emit_remark_at %add, "here" : !transform.any_op
    transform.yield
  }
}
