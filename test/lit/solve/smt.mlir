// RUN: formwork solve %s --count | FileCheck %s --check-prefix=COUNT
// RUN: formwork solve %s --all --format=jsonl | FileCheck %s

// Integers divide as in SMT-LIB, and bit vectors wrap. Of 17 * 4 * 2
// combinations these remain.
// COUNT: 3 assignments
// CHECK: {"a":-7,"b":3,"f":0}
// CHECK-NEXT: {"a":8,"b":1,"f":1}
// CHECK-NEXT: {"a":-7,"b":3,"f":1}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %a = transform.tune.knob<"a"> options = {} {formwork.range = [-8, 8]} -> !transform.param<i64>
    %b = transform.tune.knob<"b"> options = [0 : i8, 1 : i8, 2 : i8, 3 : i8] -> !transform.param<i8>
    %f = transform.tune.knob<"f"> options = [false, true] -> !transform.param<i1>
    transform.smt.constrain_params(%a, %b, %f)
        : (!transform.param<i64>, !transform.param<i8>, !transform.param<i1>) -> () {
    ^bb0(%x: !smt.int, %y: !smt.bv<8>, %g: !smt.bool):
      // -7 = 2 * -4 + 1 and b wraps to 253 = -3; or a = 8, b = 1 and f.
      %two = smt.int.constant 2
      %minus_four = smt.int.constant -4
      %quotient = smt.int.div %x, %two
      %remainder = smt.int.mod %x, %two
      %one = smt.int.constant 1
      %is_quotient = smt.eq %quotient, %minus_four : !smt.int
      %is_remainder = smt.eq %remainder, %one : !smt.int
      %negated = smt.bv.neg %y : !smt.bv<8>
      %wrapped = smt.bv.constant #smt.bv<253> : !smt.bv<8>
      %is_wrapped = smt.eq %negated, %wrapped : !smt.bv<8>
      %first = smt.and %is_quotient, %is_remainder, %is_wrapped

      %eight = smt.int.constant 8
      %number = smt.bv2int %y : !smt.bv<8>
      %is_eight = smt.int.cmp ge %x, %eight
      %is_one = smt.eq %number, %one : !smt.int
      %second = smt.and %is_eight, %is_one, %g
      %either = smt.xor %first, %second
      smt.assert %either
    }
    transform.yield
  }
}
