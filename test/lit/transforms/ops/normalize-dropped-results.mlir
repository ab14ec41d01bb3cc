// A loop that loses all of its results is followed by its handle. Upstream's
// tracking listener crashes on it.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s

module attributes {transform.with_named_sequence} {
  func.func @f(%n: index, %a: f32, %m: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{.+}} {
    // CHECK-NEXT: memref.store
    // CHECK-NEXT: } {still_held}
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (f32) {
      memref.store %a, %m[%i] : memref<?xf32>
      scf.yield %s : f32
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @canonical : !transform.any_op
    transform.annotate %loop "still_held" : !transform.any_op
    transform.yield
  }
}
