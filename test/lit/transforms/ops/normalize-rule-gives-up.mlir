// A rule of fold_memref_alias_ops makes ops before it finds that it does not
// apply, so that stock apply_patterns never comes to rest. The form asks before
// the rule does.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @f
  // CHECK: memref.expand_shape
  // CHECK-NEXT: vector.transfer_read
  // CHECK-NEXT: return
  func.func @f(%m: memref<7xf64>, %i: index) -> vector<1x7xf64> {
    %pad = arith.constant 0.0 : f64
    %0 = memref.expand_shape %m [[0, 1]] output_shape [1, 7] : memref<7xf64> into memref<1x7xf64>
    %1 = vector.transfer_read %0[%i, %i], %pad {in_bounds = [true, false]} : memref<1x7xf64>, vector<1x7xf64>
    return %1 : vector<1x7xf64>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @memref.canonical : !transform.any_op
    transform.normalform.assert %f is @memref.canonical : !transform.any_op
    transform.yield
  }
}
