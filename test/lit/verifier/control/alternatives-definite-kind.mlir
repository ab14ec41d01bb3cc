// Another alternative makes up for most steps that are given the wrong op; this one ends the
// schedule.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: not mlir-opt %s --transform-interpreter -o %t.mlir 2>&1 | FileCheck %s --check-prefix=RUNS
// CHECK: warning: requires an op isolated from above but %loop has 'scf.for' [fw-wrong-kind]
// CHECK: unproved: 0 errors
// RUNS: requires isolated-from-above targets

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
      %loop = transform.structured.match ops{["scf.for"]} in %scope : (!transform.any_op) -> !transform.any_op
      %same = transform.structured.vectorize_children_and_apply_patterns %loop : (!transform.any_op) -> !transform.any_op
    }, {
    ^bb0(%scope: !transform.any_op):
      transform.annotate %scope "x" : !transform.any_op
    }
    transform.yield
  }
}
