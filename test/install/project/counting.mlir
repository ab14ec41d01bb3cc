// The function is short, so that the step is checked and run.
module attributes {transform.with_named_sequence} {
  func.func @f() {
    %c = arith.constant 1 : index
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.counting.count %f : !transform.any_op
    transform.yield
  }
}
