// DCE takes ops out of handles and puts nothing in their place.
// RUN: formwork check %s --allow-unregistered-dialect 2>&1 | FileCheck %s
// RUN: formwork apply %s --allow-unregistered-dialect --validate -o %t

// CHECK: : proved: 0 errors
func.func @f(%x: f32) {
  %dead = arith.addf %x, %x : f32
  "mine.op"() : () -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %all = transform.structured.match ops{["mine.op", "arith.addf"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_dce to %f : !transform.any_op
    %mine = transform.select "mine.op" in %all : (!transform.any_op) -> !transform.any_op
    %one = transform.split_handle %mine : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
