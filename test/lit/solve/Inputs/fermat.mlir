module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %a = transform.tune.knob<"a"> options = {} {formwork.range = [1, 100000000]} -> !transform.param<i64>
    %b = transform.tune.knob<"b"> options = {} {formwork.range = [1, 100000000]} -> !transform.param<i64>
    %c = transform.tune.knob<"c"> options = {} {formwork.range = [1, 100000000]} -> !transform.param<i64>
    transform.smt.constrain_params(%a, %b, %c)
        : (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>) -> () {
    ^bb0(%x: !smt.int, %y: !smt.int, %z: !smt.int):
      %x3 = smt.int.mul %x, %x, %x
      %y3 = smt.int.mul %y, %y, %y
      %z3 = smt.int.mul %z, %z, %z
      %sum = smt.int.add %x3, %y3
      %equal = smt.eq %sum, %z3 : !smt.int
      smt.assert %equal
    }
    transform.yield
  }
}
