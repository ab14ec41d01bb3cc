// RUN: formwork solve %s --split-input-file --verify-diagnostics

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+1 {{requires an array of options, 'formwork.range', 'formwork.divides' or 'formwork.power_of_two' but has values without a bound [fw-knob-domain]}}
    %tile = transform.tune.knob<"tile"> options = {} {formwork.multiple_of = 4} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+1 {{requires numbers from -2^62 to 2^62 in 'formwork.range' but it is from 1 to 9223372036854775807 [fw-knob-domain]}}
    %tile = transform.tune.knob<"tile"> options = {} {formwork.range = [1, 9223372036854775807]} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+1 {{requires 'formwork.range' to be [first, last] or [first, last, step] with a positive step [fw-knob-domain]}}
    %tile = transform.tune.knob<"tile"> options = {} {formwork.range = [1, 8, 0]} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+1 {{requires an integer from 1 to 1000000000000 as 'formwork.divides' [fw-knob-domain]}}
    %tile = transform.tune.knob<"tile"> options = {} {formwork.divides = "x"} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+1 {{requires options from -2^62 to 2^62 but has 9223372036854775807 [fw-knob-domain]}}
    %tile = transform.tune.knob<"tile"> options = [1, 9223372036854775807] -> !transform.param<i64>
    transform.yield
  }
}
