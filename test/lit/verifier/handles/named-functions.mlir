// Steps that name a function: whether there is one, and whether it has the signature.
// RUN: split-file %s %t
// RUN: not formwork check %inputs/matmul.mlir --transform=%t/missing.mlir --static 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t/missing.mlir --transform-interpreter -o /dev/null 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// RUN: not formwork check %inputs/matmul.mlir --transform=%t/short.mlir --static 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not formwork check %inputs/matmul.mlir --transform=%t/twice.mlir --static 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not formwork check %inputs/matmul.mlir --transform=%t/deduplicate.mlir --static 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: formwork check %inputs/matmul.mlir --transform=%t/made.mlir --static 2>&1 | FileCheck %s --check-prefix=MADE
// RUN: formwork check %t/missing.mlir --static 2>&1 | FileCheck %s --check-prefix=MADE
// RUN: formwork check %inputs/matmul.mlir --transform=%t/nested.mlir --static 2>&1 | FileCheck %s --check-prefix=MADE
// RUN: formwork check %inputs/matmul.mlir --transform=%t/changed.mlir --static 2>&1 | FileCheck %s --check-prefix=MADE
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/changed.mlir -o %t/out.mlir

// MISSING: error: requires a function @no_such but %m has none [fw-unknown-function]
// UPSTREAM: error: function with name '@no_such' not found
// SHORT: error: requires a permutation of the 3 arguments of @f but has 2 numbers [fw-bad-interchange]
// TWICE: error: requires a permutation of the 3 arguments of @f but has 3 numbers [fw-bad-interchange]
// MADE: cannot prove that 'transform.func.replace_func_signature' succeeds: changes a function of which the signature may not fit
// MADE: : unproved: 0 errors

//--- missing.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %module, %f = transform.func.replace_func_signature @no_such args_interchange = [1, 0, 2] results_interchange = [0] at %m : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- short.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %module, %f = transform.func.replace_func_signature @f args_interchange = [1, 0] results_interchange = [0] at %m : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- twice.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %module, %f = transform.func.replace_func_signature @f args_interchange = [1, 0, 0] results_interchange = [0] at %m : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- deduplicate.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %module, %f = transform.func.deduplicate_func_args @no_such at %m : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- made.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %outlined, %call = transform.loop.outline %loop {func_name = "no_such"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %module, %f = transform.func.replace_func_signature @no_such args_interchange = [1, 0, 2] results_interchange = [0] at %m : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- nested.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %module, %f = transform.func.replace_func_signature @inner::@no_such args_interchange = [1, 0, 2] results_interchange = [0] at %m : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- changed.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %new = transform.apply_registered_pass "canonicalize" to %m : (!transform.any_op) -> !transform.any_op
    %module, %f = transform.func.replace_func_signature @f args_interchange = [1, 0, 2] results_interchange = [0] at %new : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
