// A match in an op may find that op, which the payload's own has no parent of; an op of another
// kind or class is inside.
// RUN: split-file %s %t
// RUN: not formwork check --static --strict --no-payload %t/itself.mlir 2>&1 | FileCheck %s
// RUN: formwork check --static --strict --no-payload %t/inside.mlir 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: not mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/itself.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// CHECK: itself.mlir:4:11: warning: cannot prove that 'transform.get_parent_op' succeeds: asks for a parent that may not exist
// CHECK: itself.mlir:6:11: note: the same holds for this step and for 1 more
// CHECK: itself.mlir: unproved: 0 errors, 3 warnings; 6 steps, 3 unproved
// INSIDE: inside.mlir: proved
// STOCK: error: could not find a parent op that matches all requirements

//--- payload.mlir
module {
}

//--- itself.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["builtin.module"]} in %root : (!transform.any_op) -> !transform.any_op
    %pa = transform.get_parent_op %a : (!transform.any_op) -> !transform.any_op
    %b = transform.structured.match attributes{tagged} in %root : (!transform.any_op) -> !transform.any_op
    %pb = transform.get_parent_op %b {isolated_from_above} : (!transform.any_op) -> !transform.any_op
    %c = transform.structured.match ops{["func.func", "builtin.module"]} in %root : (!transform.any_op) -> !transform.any_op
    %pc = transform.get_parent_op %c : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- inside.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %pa = transform.get_parent_op %a : (!transform.any_op) -> !transform.any_op
    %b = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %pb = transform.get_parent_op %b {isolated_from_above} : (!transform.any_op) -> !transform.any_op
    %c = transform.structured.match ops{["func.func", "scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %pc = transform.get_parent_op %c : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
