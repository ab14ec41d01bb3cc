// Each iteration sets its argument anew, and nobody asks whether what holds the
// op was consumed by an earlier one: where it is kept, that runs.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: formwork apply %s -o /dev/null

// CHECK: warning: requires a valid handle but %loop may be invalidated
// CHECK: unproved: 0 errors

func.func @f(%a: memref<128x256xf32>, %b: memref<256x512xf32>, %c: memref<128x512xf32>) {
  linalg.matmul ins(%a, %b : memref<128x256xf32>, memref<256x512xf32>) outs(%c : memref<128x512xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %loops : !transform.any_op {
    ^bb0(%loop: !transform.any_op):
      %f = transform.get_parent_op %loop {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
      %g = transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
