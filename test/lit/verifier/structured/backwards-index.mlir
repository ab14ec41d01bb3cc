// Upstream computes the slice of a tile as if indices only grew: of an op that runs backwards
// through an operand, a tile has sizes that do not fit.
// RUN: not formwork check --static --strict %s 2>&1 | FileCheck %s
// RUN: not mlir-opt %s --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// CHECK: cannot prove that 'transform.structured.tile_using_for' succeeds: is given payload for which its contract was not tested: 'size:misfit'
// STOCK: error: 'linalg.generic' op inferred input/output operand #0 has shape's dimension #0 to be greater than or equal to 8, but found 7

func.func @f(%a: tensor<8xi8>, %b: tensor<8xi8>) -> tensor<8xi8> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (-i + 7)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<8xi8>) outs(%b : tensor<8xi8>) {
  ^bb0(%x: i8, %y: i8):
    linalg.yield %x : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
