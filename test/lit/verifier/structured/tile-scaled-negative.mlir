// A scaled size is not known, so MLIR does not find a negative one.
// RUN: not formwork check --static %s 2>&1 | FileCheck %s
// RUN: sed 's/\[-4\]/[[-4]]/' %s > %t.scaled.mlir
// RUN: formwork check --static %t.scaled.mlir 2>&1 | FileCheck %s --check-prefix=SCALED
// RUN: formwork apply %t.scaled.mlir --unchecked -o %t.out

// CHECK: error: requires tile sizes and numbers of threads that are not negative but has -4 [fw-negative-tile-size]
// SCALED: : unproved: 0 errors

func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.exp ins(%x : tensor<16xf32>) outs(%y : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %exp tile_sizes [-4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
