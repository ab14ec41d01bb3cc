// A sequence gives back the handle that it is given. Where the call is inlined, both are one
// handle: what consumes it ends it, although it holds nothing.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: sed 's/annotate %%same/annotate %%matmul/' %s > %t.mlir
// RUN: not formwork check --static %t.mlir 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: sed 's/%%same = transform.include @inner/%%same = transform.include @other/' %s > %t.other.mlir
// RUN: formwork check --static %t.other.mlir 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK: warning: requires a valid handle but %same may be invalidated on the path through 'transform.structured.transpose_matmul' [fw-use-after-consume]
// CHECK: : unproved: 0 errors
// GIVEN: error: requires a valid handle but %matmul is invalidated [fw-use-after-consume]
// OTHER: : proved

module attributes {transform.with_named_sequence} {
  transform.named_sequence @outer(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @inner(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %same = transform.include @outer failures(propagate) (%op) : (!transform.any_op) -> !transform.any_op
    transform.yield %same : !transform.any_op
  }
  transform.named_sequence @other(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %merged = transform.merge_handles %op : !transform.any_op
    transform.yield %merged : !transform.any_op
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %same = transform.include @inner failures(propagate) (%matmul) : (!transform.any_op) -> !transform.any_op
    %transposed = transform.structured.transpose_matmul %matmul : (!transform.any_op) -> !transform.any_op
    transform.annotate %same "again" : !transform.any_op
    transform.yield
  }
}

func.func @f() {
  return
}
