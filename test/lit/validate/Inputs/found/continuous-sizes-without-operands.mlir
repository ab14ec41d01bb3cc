// MLIR reads sizes that are not there for an op without operands: that may go well.
module {
  func.func @f() {
    linalg.generic {indexing_maps = [], iterator_types = ["parallel"]} attrs = {t} {
      linalg.yield
    }
    return
  }
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %op = transform.structured.match attributes {t} in %root : (!transform.any_op) -> !transform.any_op
      %same = transform.structured.generalize %op : (!transform.any_op) -> !transform.any_op
      %sizes, %chunks = transform.structured.continuous_tile_sizes %same {dimension = 0 : i64, target_size = 9 : i64} : (!transform.any_op) -> !transform.param<i64>
      transform.yield
    }
  }
}
