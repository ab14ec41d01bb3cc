// With a knob that may split off all that there is, there may be one part: what follows is
// refused for the other values alone.
// RUN: formwork check --static %s 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: sed 's/\[16, 32\]/[4, 8]/' %s > %t.two.mlir
// RUN: not formwork check --static %t.two.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: sed 's/options/= 16 from options/' %s > %t.one.mlir
// RUN: formwork apply %t.one.mlir --unchecked -o %t.out

// SOME: : unproved: 0 errors
// TWO: error: fails here: requires target to map to exactly 1 LinalgOp [fw-step-fails]
// TWO: : refuted

func.func @f(%x: tensor<16x32xf32>, %y: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %r = linalg.exp ins(%x : tensor<16x32xf32>) outs(%y : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %k = transform.tune.knob<"k"> options = [16, 32] -> !transform.param<i64>
    %parts = transform.structured.split %exp after %k {dimension = 0} : !transform.any_op, !transform.param<i64>
    %packed = transform.structured.pack %parts packed_sizes = [4, 8] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
}
