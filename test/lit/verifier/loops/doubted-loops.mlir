// A loop of one step may go by any clean-up: that one which ran before may have
// taken it does not say that this one does not.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: not formwork apply %s 2>&1 | FileCheck %s --check-prefix=FAILS

// CHECK: cannot prove that 'transform.apply_patterns' succeeds: may replace payload of %loops
// FAILS: tracking listener failed to find replacement op

func.func @f(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %m tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.scf.for_loop_canonicalization
    } : !transform.any_op
    %loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.debug.emit_remark_at %loops, "use" : !transform.any_op
    transform.yield
  }
}
