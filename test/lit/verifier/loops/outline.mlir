// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o %t

// CHECK: : proved: 0 errors
func.func @f(%A: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %A[%i] : memref<8xf32>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %body, %call = transform.loop.outline %loop {func_name = "body"} : (!transform.any_op) -> (!transform.any_op, !transform.op<"func.call">)
    transform.annotate %call "called" : !transform.op<"func.call">
    transform.yield
  }
}
