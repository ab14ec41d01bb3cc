// A matcher may hold an op that is none for matchers, where no payload comes to it. A run that is
// watched puts nothing into a matcher.
// RUN: split-file %s %t
// RUN: mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/schedule.mlir --transform-interpreter -o %t.out
// RUN: formwork check %t/payload.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir -o %t.out
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir --validate -o %t.out

// CHECK-NOT: error
// CHECK: schedule.mlir: proved

//--- payload.mlir
func.func @f(%x: f32) -> f32 {
  return %x : f32
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_fill(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.fill"] : !transform.any_op
    %value = transform.get_result %op[0] : (!transform.any_op) -> !transform.any_value
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fills = transform.collect_matching @is_fill in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
