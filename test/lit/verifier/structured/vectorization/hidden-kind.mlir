// A loop has no form on vectors; where that failure is not seen, the loop stays as it is.
// RUN: formwork check %inputs/matmul.mlir --transform=%s 2>&1 | FileCheck %s
// RUN: formwork apply %inputs/matmul.mlir --transform=%s --validate -o %t

// CHECK: warning: {{.*}} has 'scf.for' [fw-hidden-failure]
// CHECK: : proved: 0 errors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @vectorize(%op: !transform.any_op {transform.consumed}) {
    transform.structured.vectorize %op : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.include @vectorize failures(suppress) (%loop) : (!transform.any_op) -> ()
    transform.yield
  }
}
