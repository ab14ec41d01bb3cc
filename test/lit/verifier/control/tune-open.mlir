// Without a selected region, any of them may run.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: non-deterministic choice "how" is only resolved through providing a `selected_region` attr/param

module attributes {transform.with_named_sequence} {
  // expected-note@+1 {{fix-it: 'formwork solve' finds values that work}}
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-note@+1 {{handle %a is set here}}
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-warning@+1 {{cannot prove that 'transform.tune.alternatives' succeeds: chooses one of its regions by a parameter that is open [fw-unproved]}}
    %r = transform.tune.alternatives<"how"> -> !transform.any_op {
      // expected-note@+1 {{'transform.structured.tile_using_for' consumes this handle}}
      %t, %t_loop = transform.structured.tile_using_for %a tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.yield %t : !transform.any_op
    }, {
      transform.yield %a : !transform.any_op
    }
    transform.debug.emit_remark_at %r, "used" : !transform.any_op
    // expected-warning@+5 {{requires a valid handle but %a may be invalidated on the path through 'transform.structured.tile_using_for' [fw-use-after-consume]}}
    // expected-note@+4 {{fix-it: match the payload again after 'transform.structured.tile_using_for'}}
    // expected-error@+3 {{with how = 0: requires a valid handle but %a is invalidated [fw-param-refuted]}}
    // expected-note@+2 {{the schedule was checked with these values: fw-use-after-consume}}
    // expected-warning@+1 {{cannot prove that 'transform.debug.emit_remark_at' succeeds: requires a valid handle but %a may be invalidated on the path through 'transform.structured.tile_using_for' [fw-unproved]}}
    transform.debug.emit_remark_at %a, "used" : !transform.any_op
    transform.yield
  }
}
