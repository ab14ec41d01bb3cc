// A step that is surely refused leads to the next alternative, whatever else is wrong with it.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o %t.out

// CHECK-NOT: error:
// CHECK: {{: proved|: unproved}}: 0 errors

module {
  func.func @f() {
    return
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%x: !transform.any_op):
      %threads = transform.gpu.map_nested_forall_to_threads %x block_dims = [16, 8, 0] : (!transform.any_op) -> !transform.any_op
    }, {
    ^bb0(%x: !transform.any_op):
    }
    transform.yield
  }
}
