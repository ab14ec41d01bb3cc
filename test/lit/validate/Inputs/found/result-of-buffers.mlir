module {
  func.func @f(%arg0: memref<?x?x16x128xi64>, %arg1: memref<3x?x16x128xi64>, %arg2: memref<?x3x16x16xi64>) {
    linalg.mmt4d {t} ins(%arg0, %arg1 : memref<?x?x16x128xi64>, memref<3x?x16x128xi64>) outs(%arg2 : memref<?x3x16x16xi64>)
    cf.br ^bb1
  ^bb1:  // pred: ^bb0
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    transform.sequence %arg0 : !transform.any_op failures(suppress) {
    ^bb0(%arg1: !transform.any_op):
      %0 = transform.structured.match attributes {t} in %arg1 : (!transform.any_op) -> !transform.any_op
      %1:4 = transform.match.structured %0 : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
      ^bb0(%arg2: !transform.any_op):
        %3 = transform.match.structured.result %arg2[0] single : (!transform.any_op) -> !transform.any_op
        %batch, %m, %n, %k = transform.match.structured.classify_contraction_dims %arg2 : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
        transform.match.structured.yield %batch, %m, %n, %k : !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
      }
      %2 = transform.structured.match attributes {t} in %arg1 : (!transform.any_op) -> !transform.any_op
    }
    transform.yield 
  }
}
}
