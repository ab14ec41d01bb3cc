// Upstream unrolls no affine.for by more than its trip count.
// RUN: split-file %s %t
// RUN: sed s/FACTOR/8/ %t/schedule.mlir > %t/more.mlir
// RUN: not formwork check %t/payload.mlir --transform=%t/more.mlir --strict 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/more.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: sed s/FACTOR/2/ %t/schedule.mlir > %t/less.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/less.mlir --strict 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: formwork apply %t/payload.mlir --transform=%t/less.mlir --validate -o %t.out

// MORE: unrolls an affine.for by more than the steps that it has [fw-unproved]
// STOCK: error: failed to unroll
// LESS: : proved: 0 errors

//--- payload.mlir
func.func @f(%m: memref<16xf32>) {
  affine.for %i = 0 to 3 {
    %v = affine.load %m[%i] : memref<16xf32>
    affine.store %v, %m[%i + 1] : memref<16xf32>
  }
  return
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["affine.for"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {factor = FACTOR} : !transform.any_op
    transform.yield
  }
}
