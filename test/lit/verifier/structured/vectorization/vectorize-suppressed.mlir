// Whether a size is static is asked before anything is vectorized, so that the failure
// can be suppressed: it is advice then.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o - | FileCheck %s --check-prefix=OUT
// RUN: sed 's/failures(suppress)/failures(propagate)/' %s > %t.mlir
// RUN: formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not formwork apply %t.mlir --unchecked -o - 2>&1 | FileCheck %s --check-prefix=FAILS

// CHECK: may do less than it says, because a failure that is not reported leaves the payload unchanged: may meet a dynamic shape [fw-hidden-failure]
// CHECK: : proved: 0 errors, 1 warning;
// OPEN: cannot prove that 'transform.structured.vectorize' succeeds: may meet a dynamic shape
// FAILS: Attempted to vectorize, but failed
// OUT: linalg.matmul

func.func @f(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @vectorize(%tile: !transform.any_op {transform.consumed}) {
    transform.structured.vectorize %tile : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.include @vectorize failures(suppress) (%tile) : (!transform.any_op) -> ()
    transform.annotate %loop "mark" : !transform.any_op
    transform.yield
  }
}
