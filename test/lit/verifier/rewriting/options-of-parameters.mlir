// Options that parameters decide are known where the parameters are: as to what they are, how they are
// read, and what the pass does.
// RUN: split-file %s %t
// RUN: formwork check --static %t/payload.mlir --transform=%t/known.mlir | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/known.mlir -o /dev/null
// RUN: not formwork check --static %t/payload.mlir --transform=%t/refused.mlir 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: formwork check --static %t/payload.mlir --transform=%t/open.mlir 2>&1 | FileCheck %s --check-prefix=OPEN

// CHECK: : proved: 0 errors
// REFUSED: error: requires options of pass 'cse' but has 'no-such=5' [fw-pass-options]
// REFUSED: error: requires options of pass 'canonicalize' but has 'max-iterations=twice' [fw-pass-options]
// OPEN: : unproved: 0 errors

//--- payload.mlir
module {
  func.func @f(%A: memref<8xf32>) {
    affine.for %i = 0 to 8 {
      %0 = affine.load %A[%i] : memref<8xf32>
      affine.store %0, %A[%i] : memref<8xf32>
    }
    return
  }
}

//--- known.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %two = transform.param.constant 2 : i64 -> !transform.param<i64>
    %yes = transform.param.constant true -> !transform.any_param
    %0 = transform.apply_registered_pass "affine-loop-unroll" with options = { "unroll-factor" = %two, "unroll-up-to-factor" = %yes } to %f : (!transform.any_op, !transform.param<i64>, !transform.any_param) -> !transform.any_op
    %words = transform.param.constant "top-down" -> !transform.any_param
    %1 = transform.apply_registered_pass "canonicalize" with options = { "max-iterations" = %two } to %0 : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    %2 = transform.apply_registered_pass "canonicalize" with options = { "region-simplify" = "disabled" } to %1 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- refused.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %five = transform.param.constant 5 : i64 -> !transform.param<i64>
    %word = transform.param.constant "twice" -> !transform.any_param
    %0 = transform.apply_registered_pass "cse" with options = { "no-such" = %five } to %f : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    %1 = transform.apply_registered_pass "canonicalize" with options = { "max-iterations" = %word } to %0 : (!transform.any_op, !transform.any_param) -> !transform.any_op
    transform.yield
  }
}

//--- open.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %knob = transform.tune.knob<"factor"> options = "any" {formwork.range = [1, 1000000]} -> !transform.any_param
    %0 = transform.apply_registered_pass "affine-loop-unroll" with options = { "unroll-factor" = %knob } to %f : (!transform.any_op, !transform.any_param) -> !transform.any_op
    transform.yield
  }
}
