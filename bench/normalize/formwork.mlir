// bench/normalize/cold runs this with formwork-opt.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @loops.invariants_hoisted : !transform.any_op
    transform.yield
  }
}
