// An argument that is marked as consumed is, but only for the handles of the sequence that calls:
// those of the callers around it live on.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --static 2>&1 | FileCheck %s
// RUN: mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%s --transform-interpreter -o %t.out

// CHECK-NOT: error:
// CHECK: warning: requires a valid handle but %a may be invalidated
// CHECK: : unproved: 0 errors

module attributes {transform.with_named_sequence} {
  transform.named_sequence @reads(%x: !transform.any_op {transform.consumed}) {
    transform.debug.emit_remark_at %x, "used" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @finds(%m: !transform.any_op {transform.readonly}) {
    %b = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.include @reads failures(propagate) (%b) : (!transform.any_op) -> ()
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.include @finds failures(propagate) (%m) : (!transform.any_op) -> ()
    transform.debug.emit_remark_at %a, "used" : !transform.any_op
    transform.yield
  }
}
