// Steps are copied side by side where their number is known to divide and nothing in the loop
// depends on it; the loop has to be as it was given.
// RUN: sed s/FACTOR/4/ %s > %t.4.mlir
// RUN: formwork check %t.4.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t.4.mlir --validate -o %t.out.mlir
// RUN: sed s/FACTOR/16/ %s > %t.16.mlir
// RUN: formwork check %t.16.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t.16.mlir --validate -o %t.out.mlir
// RUN: sed s/FACTOR/3/ %s > %t.3.mlir
// RUN: formwork check %t.3.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not formwork apply %t.3.mlir -o - 2>&1 | FileCheck %s --check-prefix=FAILS

// CHECK: : proved: 0 errors
// OPEN: unrolls and jams a loop that may not allow for it
// FAILS: failed to unroll and jam
func.func @f(%A: memref<8x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %zero, %A[%i, %j] : memref<8x8xf32>
    } {inner}
  } {outer}
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match attributes {outer} in %m : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll_and_jam %loop {factor = FACTOR} : !transform.any_op
    transform.yield
  }
}
