// No block_dims at all: what upstream then reads is undefined.

// RUN: %formwork check --static %s 2>&1 | FileCheck %s
// CHECK: warning: {{.*}}block_dims{{.*}}
// CHECK: unproved: 0 errors

module {
  func.func @f(%arg0: index) {
    gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %arg0, %arg8 = %arg0, %arg9 = %arg0) threads(%arg4, %arg5, %arg6) in (%arg10 = %arg0, %arg11 = %arg0, %arg12 = %arg0) {
      gpu.terminator
    } {l}
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @part10(%arg0: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %0 = transform.structured.match ops{["no.such"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    transform.yield %0 : !transform.any_op
  }
  transform.named_sequence @part(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.include @part10 failures(propagate) (%arg0) : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["gpu.launch"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.gpu.map_nested_forall_to_threads %1 block_dims = [] : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    transform.include @part failures(suppress) (%arg0) : (!transform.any_op) -> ()
    transform.yield 
  }
}
}
