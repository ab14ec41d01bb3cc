// The scope of an alternative is a detached clone, around which nothing has symbols: the process
// ends, and no other alternative is tried.
// RUN: formwork check --static %s 2>&1 | FileCheck %s

// CHECK: requires payload inside builtin.module or gpu.module but that of %buffer is in none that is attached to the scope of the alternatives [fw-no-ancestor]
// CHECK-NOT: : proved

module {
  func.func @f() {
    %buffer = memref.alloca() : memref<1xi32>
    return
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%x: !transform.any_op):
      %buffer = transform.structured.match ops{["memref.alloca"]} in %x : (!transform.any_op) -> !transform.op<"memref.alloca">
      %get, %global = transform.memref.alloca_to_global %buffer : (!transform.op<"memref.alloca">) -> (!transform.any_op, !transform.any_op)
    }, {
    ^bb0(%x: !transform.any_op):
    }
    transform.yield
  }
}
