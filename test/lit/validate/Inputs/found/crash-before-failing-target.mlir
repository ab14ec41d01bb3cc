// The second target is of the wrong kind, which is suppressed. For the first one, MLIR reads a
// size of a loop that is not there, and divides by it.
module {
  func.func @f(%a: tensor<4x1xi1>, %b: tensor<4x1xi1>) {
    %0 = linalg.copy {t} ins(%a : tensor<4x1xi1>) outs(%b : tensor<4x1xi1>) -> tensor<4x1xi1>
    %1 = bufferization.alloc_tensor() {t} : tensor<4xi1>
    return
  }
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @part(%root: !transform.any_op {transform.consumed}) {
      %both = transform.structured.match attributes {t} in %root : (!transform.any_op) -> !transform.any_op
      %low, %high, %split = transform.structured.multitile_sizes %both {dimension = 3 : i64, target_size = 3 : i64} : (!transform.any_op) -> !transform.param<i64>
      transform.yield
    }
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
      transform.include @part failures(suppress) (%root) : (!transform.any_op) -> ()
      transform.yield
    }
  }
}
