// Each clause of @memref.allocations_hoisted, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// allocations-hoisted.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%n: index, %m: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-note @below {{requires allocations outside of loops but 'memref.alloc' is in 'scf.for' (allocations-hoisted.c1)}}
      %0 = memref.alloc(%i) : memref<?xf32>
      memref.copy %m, %0 : memref<?xf32> to memref<?xf32>
      memref.copy %0, %m : memref<?xf32> to memref<?xf32>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @memref.allocations_hoisted but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @memref.allocations_hoisted : !transform.any_op
    transform.yield
  }
}

// -----

// memref.allocations_hoisted.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  // expected-note @below {{requires payload that the rules of @memref.allocations_hoisted do not change but they would fire: hoist-buffers-from-loops x1}}
  func.func @f(%n: index, %m: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-note @below {{requires allocations outside of loops but 'memref.alloc' is in 'scf.for' (allocations-hoisted.c1)}}
      %0 = memref.alloc() : memref<4xf32>
      memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
      memref.copy %0, %m : memref<4xf32> to memref<4xf32>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @memref.allocations_hoisted but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @memref.allocations_hoisted : !transform.any_op
    transform.yield
  }
}
