// Behind a step that takes nothing but structured ops, or ops of a few kinds, what it
// consumed was one of these, and held no function. A structured op that is not known may hold a
// loop, but a matmul does not.
// RUN: formwork check %s --no-payload 2>&1 | FileCheck %s --implicit-check-not=invalidated
// CHECK: 'transform.structured.tile_using_for' succeeds: may have payload of a kind that it does not accept
// CHECK: warning: requires a valid handle but %loop may be invalidated
// CHECK: succeeds: requires a valid handle but %loop may be invalidated
// CHECK: warning: requires a valid handle but %fill may be invalidated
// CHECK: succeeds: requires a valid handle but %fill may be invalidated
// CHECK: 'transform.affine.simplify_min_max_affine_ops' succeeds: may have payload of a kind that it does not accept
// CHECK: warning: requires a valid handle but %min may be invalidated
// CHECK: succeeds: requires a valid handle but %min may be invalidated

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %other_loop = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %matmul : (!transform.any_op) -> !transform.any_op
    transform.annotate %other_loop "x" : !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %any = transform.get_producer_of_operand %fill[1] : (!transform.any_op) -> !transform.any_op
    %tile, %made = transform.structured.tile_using_for %any tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %func "x" : !transform.any_op
    transform.annotate %loop "x" : !transform.any_op
    transform.annotate %fill "x" : !transform.any_op
    %min = transform.structured.match ops{["affine.min"]} in %m : (!transform.any_op) -> !transform.any_op
    %other = transform.get_producer_of_operand %made[0] : (!transform.any_op) -> !transform.any_op
    transform.affine.simplify_min_max_affine_ops %other : !transform.any_op
    transform.annotate %func "y" : !transform.any_op
    transform.annotate %min "y" : !transform.any_op
    transform.yield
  }
}
