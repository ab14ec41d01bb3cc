// The interpreter binds the payload to the entry's argument: one of another kind than its
// type names is refused. Without payload, the type says what the schedule is applied to.
// RUN: split-file %s %t
// RUN: not formwork check %t/payload.mlir --transform=%t/function.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: formwork check %t/payload.mlir --transform=%t/module.mlir --strict 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: formwork check --no-payload %t/function.mlir --strict 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not formwork check --no-payload %t/bufferized.mlir 2>&1 | FileCheck %s --check-prefix=FUNCTION

// OTHER: function.mlir:2:3: error: requires payload of kind 'func.func' but is applied to 'builtin.module' [fw-kind-mismatch]
// OTHER: note: fix-it: use the type !transform.any_op and match the wanted ops inside of that payload
// SAME: : proved: 0 errors
// FUNCTION: error: requires a 'builtin.module' to bufferize function boundaries but %m has 'func.func' [fw-wrong-kind]

//--- payload.mlir
func.func @f() {
  return
}

//--- function.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.op<"func.func"> {transform.readonly}) {
    transform.yield
  }
}

//--- module.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.op<"builtin.module"> {transform.readonly}) {
    transform.yield
  }
}

//--- bufferized.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.op<"func.func"> {transform.consumed}) {
    %b = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true} : (!transform.op<"func.func">) -> !transform.any_op
    transform.yield
  }
}
