// A pass without a contract: it runs, and is not proved.
func.func @f() {
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "affine-loop-fusion" to %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
