// The scope of an alternative is a detached clone, of which a matcher finds no parent.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: not formwork apply %s --unchecked -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// CHECK-NOT: : proved
// STOCK: error: requires exactly one target handle

module {
  func.func @f() {
    return
  }
  func.func @g() {
    return
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @parent(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["func.func"] : !transform.any_op
    %parent = transform.get_parent_op %op : (!transform.any_op) -> !transform.any_op
    transform.yield %parent : !transform.any_op
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%x: !transform.any_op):
      %parents = transform.collect_matching @parent in %x : (!transform.any_op) -> !transform.any_op
      %copy = transform.structured.insert_slice_to_copy %parents : (!transform.any_op) -> !transform.any_op
      %launch = transform.structured.match ops{["gpu.launch"]} in %x : (!transform.any_op) -> !transform.any_op
    }, {
    ^bb0(%x: !transform.any_op):
    }
    transform.yield
  }
}
