// That there is nothing to peel is an answer where another alternative is there for it.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o %t.mlir
// CHECK-NOT: warning
// CHECK: : proved: 0 errors

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
      %loop = transform.structured.match ops{["scf.for"]} in %scope : (!transform.any_op) -> !transform.op<"scf.for">
      transform.loop.peel %loop : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    }, {
    ^bb0(%scope: !transform.any_op):
      %loop = transform.structured.match ops{["scf.for"]} in %scope : (!transform.any_op) -> !transform.any_op
      transform.loop.unroll %loop {factor = 2} : !transform.any_op
    }
    transform.yield
  }
}
