// MLIR reads a result below the first, where none is.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: sed 's/\[-1\]/[7]/' %s > %t.beyond.mlir
// RUN: not formwork check --static %t.beyond.mlir 2>&1 | FileCheck %s --check-prefix=BEYOND

// CHECK: asks for a result with a negative number, on which MLIR reads invalid memory [fw-unproved]
// CHECK: : unproved: 0 errors
// BEYOND: error: requires a result of 'linalg.exp', which has 1, but asks for result 7 [fw-no-such-position]

func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.exp ins(%x : tensor<16xf32>) outs(%y : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %readers = transform.get_consumers_of_result %exp[-1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
