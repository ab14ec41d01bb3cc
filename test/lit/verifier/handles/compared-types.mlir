// Parameters compare as MLIR compares them: with a sign, whatever their type says, and only
// integers of one type.
// RUN: split-file %s %t
// RUN: not formwork check %t/unsigned.mlir --no-payload --strict 2>&1 | FileCheck %s --check-prefix=UNSIGNED
// RUN: not formwork check %t/widths.mlir --no-payload 2>&1 | FileCheck %s --check-prefix=WIDTHS
// RUN: formwork check %t/bytes.mlir --no-payload --strict 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: not formwork check %t/less.mlir --no-payload 2>&1 | FileCheck %s --check-prefix=LESS

// UNSIGNED: compares parameters whose values are not known [fw-unproved]
// WIDTHS: error: requires parameters of the same type but %p and %q hold integers of different types [fw-parameter-mismatch]
// BYTES: : proved: 0 errors
// LESS: error: requires '%p gt %q' but the parameters do not compare so [fw-parameter-mismatch]

//--- unsigned.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %p = transform.param.constant 255 : ui8 -> !transform.param<ui8>
    %q = transform.param.constant 1 : ui8 -> !transform.param<ui8>
    transform.match.param.cmpi gt %p, %q : !transform.param<ui8>
    transform.yield
  }
}

//--- widths.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %p = transform.param.constant 2 : i32 -> !transform.any_param
    %q = transform.param.constant 1 : i64 -> !transform.any_param
    transform.match.param.cmpi gt %p, %q : !transform.any_param
    transform.yield
  }
}

//--- bytes.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %p = transform.param.constant 2 : i8 -> !transform.param<i8>
    %q = transform.param.constant -1 : i8 -> !transform.param<i8>
    transform.match.param.cmpi gt %p, %q : !transform.param<i8>
    transform.yield
  }
}

//--- less.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %p = transform.param.constant -2 : i8 -> !transform.param<i8>
    %q = transform.param.constant 1 : i8 -> !transform.param<i8>
    transform.match.param.cmpi gt %p, %q : !transform.param<i8>
    transform.yield
  }
}
