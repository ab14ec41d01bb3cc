// The scope of alternatives lies in nothing that has symbols, so that a call of what is outlined
// there calls nothing; and no failure of the step says so.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: not mlir-opt %s --transform-interpreter -o %t.mlir 2>&1 | FileCheck %s --check-prefix=RUNS
// CHECK: warning: requires payload inside builtin.module or gpu.module but that of %l is in none that is attached to the scope of the alternatives [fw-no-ancestor]
// CHECK: unproved: 0 errors
// RUNS: does not reference a valid function

func.func @f(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c8 step %c4 {
    memref.store %zero, %m[%i] : memref<8xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      %l = transform.structured.match ops{["scf.for"]} in %scope : (!transform.any_op) -> !transform.any_op
      %function, %call = transform.loop.outline %l {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }, {
    ^bb0(%scope: !transform.any_op):
      transform.annotate %scope "x" : !transform.any_op
    }
    transform.yield
  }
}
