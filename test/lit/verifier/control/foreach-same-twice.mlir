// A loop that consumes what its second operand holds, too, is refused, even if
// that is nothing.
// RUN: not formwork check %s 2>&1 | FileCheck %s
// CHECK: error: requires a valid handle but %none is invalidated [fw-use-after-consume]

func.func @f(%a: tensor<8xf64>) -> tensor<8xf64> {
  return %a : tensor<8xf64>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %none = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %none, %none : !transform.any_op, !transform.any_op {
    ^bb0(%one: !transform.any_op, %other: !transform.any_op):
      %tiled, %loops = transform.structured.tile_using_for %one tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.debug.emit_remark_at %other, "the same" : !transform.any_op
    }
    transform.yield
  }
}
