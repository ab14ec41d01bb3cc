// Each clause of @llvm.translatable, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// llvm-only.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  llvm.func @f(%a: i64) -> i64 {
    // expected-note @below {{requires ops of the llvm and nvvm dialects but has 'arith.addi' (llvm-only.c1)}}
    %0 = arith.addi %a, %a : i64
    llvm.return %0 : i64
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["llvm.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @llvm.translatable but has 'llvm.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @llvm.translatable : !transform.any_op
    transform.yield
  }
}
