// A list of kinds that is empty accepts no op.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: formwork apply %inputs/matmul.mlir --transform=%s --validate -o %t.mlir

module attributes {transform.with_named_sequence} {
  // expected-note@+1 {{the target %m is set here}}
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-warning@+1 {{requires a payload op to match but 'builtin.module' has none at this point, so the steps that use %none do nothing or fail [fw-empty-match]}}
    %none = transform.structured.match ops{[]} in %m : (!transform.any_op) -> !transform.op<"func.func">
    %loop = transform.get_parent_op %none {op_name = "scf.for"} : (!transform.op<"func.func">) -> !transform.any_op
    transform.yield
  }
}
