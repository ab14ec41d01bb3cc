// A destination of a dynamic size is allocated by asking the tensor for it.
// RUN: formwork apply %s --validate -o %t.mlir

module {
  func.func @f(%A: tensor<?x4xf32>, %B: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %r = linalg.add ins(%A, %A : tensor<?x4xf32>, tensor<?x4xf32>) outs(%B : tensor<?x4xf32>) -> tensor<?x4xf32>
    return %r : tensor<?x4xf32>
  }
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
      %add = transform.structured.match ops{["linalg.add"]} in %m : (!transform.any_op) -> !transform.any_op
      %buffer, %new = transform.structured.bufferize_to_allocation %add {bufferize_destination_only} : !transform.any_op
      %dims = transform.structured.match ops{["tensor.dim"]} in %m : (!transform.any_op) -> !transform.any_op
      transform.print %dims : !transform.any_op
      transform.yield
    }
  }
}
