// A tile of a pad may lie beside its source, which an scf.if asks for.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o - | FileCheck %s --check-prefix=IF

// CHECK-NOT: fw-empty-match
// IF: scf.if

func.func @f(%t: tensor<?x?xf32>, %pad: f32, %low: index, %high: index) -> tensor<20x40xf32> {
  %r = tensor.pad %t low[%low, %low] high[%high, %high] {
  ^bb0(%i: index, %j: index):
    tensor.yield %pad : f32
  } : tensor<?x?xf32> to tensor<20x40xf32>
  return %r : tensor<20x40xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %pad = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %pad tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %ifs = transform.structured.match ops{["scf.if"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %ifs "mark" : !transform.any_op
    transform.yield
  }
}
