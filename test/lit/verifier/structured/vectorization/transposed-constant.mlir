// A constant beside a transposed constant: sinking the transpose makes a constant
// transposed and the other one not, without end. Stock MLIR takes all the time it gets.
// RUN: not timeout 3 mlir-opt %s --transform-interpreter -o %t.out
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: sed 's/arith.addf %one, %flip/arith.addf %one, %one/; /vector.transpose/d' %s > %t.none.mlir
// RUN: mlir-opt %t.none.mlir --transform-interpreter -o %t.out
// RUN: formwork check --static %t.none.mlir 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: cannot prove that 'transform.structured.vectorize_children_and_apply_patterns' succeeds: can fail: the greedy driver does not converge
// CHECK: cannot prove that 'transform.apply_patterns' succeeds: applies 'transform.apply_patterns.vector.sink_ops', which may not terminate
// CHECK: unproved: 0 errors
// NONE: : proved: 0 errors

module attributes {transform.with_named_sequence} {
  func.func @f() -> vector<7x1xf32> {
    %one = arith.constant dense<1.0> : vector<7x1xf32>
    %flip = vector.transpose %one, [0, 1] : vector<7x1xf32> to vector<7x1xf32>
    %sum = arith.addf %one, %flip : vector<7x1xf32>
    return %sum : vector<7x1xf32>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %g { transform.apply_patterns.vector.sink_ops } : !transform.any_op
    transform.yield
  }
}
