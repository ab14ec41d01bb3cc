// Where no step can fail, it makes no difference that failures are suppressed: what
// is consumed is consumed for sure, and what follows is proved.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --strict
// RUN: formwork apply %inputs/matmul.mlir --transform=%s --validate -o %t.mlir
// RUN: sed 's|// HERE|transform.debug.emit_remark_at %%0, "dead" : !transform.any_op|' %s > %t.dead.mlir
// RUN: not formwork check %inputs/matmul.mlir --transform=%t.dead.mlir 2>&1 | FileCheck %s

// CHECK: error: requires a valid handle but %0 is invalidated [fw-use-after-consume]

module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%op: !transform.any_op {transform.consumed}) -> !transform.any_op {
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield %loop : !transform.any_op
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %loop = transform.include @tile failures(suppress) (%0) : (!transform.any_op) -> !transform.any_op
    // HERE
    transform.loop.unroll %loop {factor = 2} : !transform.any_op
    transform.yield
  }
}
