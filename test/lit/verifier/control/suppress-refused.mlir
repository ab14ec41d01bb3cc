// A step that fails for sure where that is suppressed leaves the payload as it is, and
// empty handles; of several targets some may have been changed before.
// RUN: formwork check %inputs/matmul.mlir --transform=%s 2>&1 | FileCheck %s
// RUN: formwork apply %inputs/matmul.mlir --transform=%s --validate -o %t.out
// RUN: sed 's/%matmul : (!transform.any_op) -> !transform.any_op \/\/ both/%both : (!transform.any_op) -> !transform.any_op/' %s > %t.both.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t.both.mlir 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: formwork apply %inputs/matmul.mlir --transform=%t.both.mlir --validate -o %t.out

// CHECK: warning: does less than it says, {{.*}}: requires a parent op of the wanted kind
// CHECK: warning: does less than it says, {{.*}}: requires 'linalg.generic' but %matmul has 'linalg.matmul' [fw-hidden-failure]
// CHECK-NOT: fw-bad-interchange
// CHECK: {{^[^ ]*}}: proved: 0 errors
// BOTH: warning: does less than it says, {{.*}}: requires 'linalg.generic' but %both has
// BOTH: {{^[^ ]*}}: unproved: 0 errors

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%x: !transform.any_op):
      %matmul = transform.structured.match ops{["linalg.matmul"]} in %x : (!transform.any_op) -> !transform.any_op
      %func = transform.structured.match ops{["func.func"]} in %x : (!transform.any_op) -> !transform.any_op
      %both = transform.merge_handles %matmul, %func : !transform.any_op
      %loop = transform.get_parent_op %matmul {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
      transform.apply_licm to %loop : !transform.any_op
      %exchanged = transform.structured.interchange %matmul : (!transform.any_op) -> !transform.any_op // both
      transform.yield
    }
    %left = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiled, %loops = transform.structured.tile_using_for %left tile_sizes [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
