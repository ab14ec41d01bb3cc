// Whether a conversion succeeds, MLIR says of a copy of the payload as it was given: with what is
// around the op, because a caller may not fit what becomes of a function.
// RUN: sed 's/PASS/convert-scf-to-cf/' %s > %t.cf.mlir
// RUN: formwork check --static %t.cf.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t.cf.mlir --validate -o %t.out
// RUN: sed 's/PASS/convert-to-llvm/' %s > %t.llvm.mlir
// RUN: not formwork check --static %t.llvm.mlir 2>&1 | FileCheck %s --check-prefix=CALLER

// PROVED: : proved: 0 errors
// CALLER: fails here: 'func.call' op 'g' does not reference a valid function [fw-step-fails]

func.func private @g(%n: index, %v: f32) -> f32 attributes {g} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> f32 {
    %s = arith.addf %a, %v : f32
    scf.yield %s : f32
  }
  return %r : f32
}
func.func @f(%n: index, %v: f32) -> f32 {
  %called = func.call @g(%n, %v) : (index, f32) -> f32
  return %called : f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %g = transform.structured.match attributes {g} in %m : (!transform.any_op) -> !transform.any_op
    %after = transform.apply_registered_pass "PASS" to %g : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
