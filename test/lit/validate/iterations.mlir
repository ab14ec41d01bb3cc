// Where the order of the entries is not known, no iteration is about one of them.
// RUN: formwork apply --validate %s 2>&1 | FileCheck %s
// CHECK: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

func.func @f0(%m: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %x, %m[%i] : memref<8xf32>
    }
  }
  return
}
func.func @f1(%a: tensor<6x4xi32>, %n: index) -> (index, index) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %dim = tensor.dim %a, %c0 : tensor<6x4xi32>
    %0 = scf.for %i = %c0 to %n step %c4 iter_args(%arg8 = %n) -> (index) {
      scf.yield %arg8 : index
    }
    return %dim, %0 : index, index
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %dim = transform.structured.match ops{["tensor.dim"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.get_parent_op %dim {isolated_from_above} : (!transform.any_op) -> !transform.any_op
    %vectorized = transform.structured.vectorize_children_and_apply_patterns %func : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %loops : !transform.any_op {
    ^bb0(%loop: !transform.any_op):
      transform.annotate %loop "seen" : !transform.any_op
    }
    transform.yield
  }
}
