module {
  func.func @f(%arg0: tensor<0xcomplex<f32>>, %arg1: tensor<1xcomplex<f32>>, %arg2: tensor<1x0xcomplex<f32>>) {
    %0 = linalg.matvec {t} ins(%arg2, %arg0 : tensor<1x0xcomplex<f32>>, tensor<0xcomplex<f32>>) outs(%arg1 : tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match attributes {t} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.match.structured failures(suppress) %0 : (!transform.any_op) -> !transform.param<i64> {
    ^bb0(%arg1: !transform.any_op):
      %2 = transform.match.structured.dim %arg1[all] {reduction} : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.yield %2 : !transform.param<i64>
    }
    transform.yield 
  }
}
}
