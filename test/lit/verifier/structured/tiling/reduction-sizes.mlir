// Parts of a reduction have the sizes of its loops, of which one operand may say more than the result. What merges them then is invalid. A tile is not proved
// where a size is 0, either.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: not formwork apply %s --unchecked -o - 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: sed 's/4x?x/4x8x/g; s/8x?x/8x16x/g; s/?x16x/4x16x/g' %s > %t.static.mlir
// RUN: formwork check --static --strict %t.static.mlir
// RUN: sed 's/4x?x/0x8x/g; s/8x?x/8x0x/g; s/?x16x/0x0x/g' %s > %t.empty.mlir
// RUN: formwork check --static %t.empty.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY

// CHECK: cannot prove that 'transform.structured.tile_reduction_using_for' succeeds: tiles an op that may not be a reduction that can be computed in parts
// FAILS: doesn't match input dimensions after reduction
// EMPTY: unproved: 0 errors

func.func @f(%a: tensor<4x?xf32>, %b: tensor<8x?xf32>, %c: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x?xf32>, tensor<8x?xf32>) outs(%c : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %product = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %init, %part, %merge, %loop = transform.structured.tile_reduction_using_for %product by tile_sizes = [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
