module {
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.tune.knob<"k9"> options = [7, 9223372036854775807] -> !transform.param<i64>
    transform.yield 
  }
}
}
