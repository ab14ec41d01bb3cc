// Passes without options make a form hold that consists of what they do; options may keep them
// from that.
// RUN: sed 's/OPTIONS//' %s > %t.all.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t.all.mlir 2>&1 | FileCheck %s
// RUN: sed 's/OPTIONS/with options = { "max-iterations" = 0 }/' %s > %t.none.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t.none.mlir 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK-NOT: fw-missing-form
// NONE: wants form @loops.canonical for the payload of %pad but no earlier step establishes the form [fw-missing-form]
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %padded, %pads, %copy = transform.structured.pad %tile {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0], nofold_flags = [1, 0, 0], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "canonicalize" OPTIONS to %f : (!transform.any_op) -> !transform.any_op
    %h = transform.apply_registered_pass "scf-for-loop-canonicalization" to %g : (!transform.any_op) -> !transform.any_op
    %i = transform.apply_registered_pass "cse" to %h : (!transform.any_op) -> !transform.any_op
    %pad = transform.structured.match ops{["tensor.pad"]} in %i : (!transform.any_op) -> !transform.any_op
    %hoisted = transform.structured.hoist_pad %pad by 1 loops : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
