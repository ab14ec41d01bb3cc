// A function whose boundary is bufferized has to return, tensors or not.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/schedule.mlir --allow-unregistered-dialect 2>&1 | FileCheck %s
// CHECK: cannot prove that 'transform.bufferization.one_shot_bufferize' succeeds: may fail to bufferize: a function does not return

//--- payload.mlir
func.func @f() {
  "test.end"() : () -> ()
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %new = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
