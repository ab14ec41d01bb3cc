module attributes {transform.with_named_sequence} {
  transform.named_sequence @double(%value: !transform.param<i64> {transform.readonly}) -> !transform.param<i64> {
    %doubled = transform.smt.constrain_params(%value) : (!transform.param<i64>) -> !transform.param<i64> {
    ^bb0(%v: !smt.int):
      %sum = smt.int.add %v, %v
      smt.yield %sum : !smt.int
    }
    transform.yield %doubled : !transform.param<i64>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %tile = transform.tune.knob<"tile"> options = [1, 2] -> !transform.param<i64>
    %twice = transform.include @double failures(propagate) (%tile)
        : (!transform.param<i64>) -> !transform.param<i64>
    %four_times = transform.include @double failures(propagate) (%twice)
        : (!transform.param<i64>) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %four_times : !transform.param<i64>
    transform.yield
  }
}
