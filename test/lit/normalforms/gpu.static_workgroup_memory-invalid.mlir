// Each clause of @gpu.static_workgroup_memory, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// workgroup-memory-global.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%i: index, %s: f32) {
    // expected-note @below {{requires workgroup memory in a global or an attribution but has 'memref.alloc' (workgroup-memory-global.c1)}}
    %0 = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %s, %0[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @gpu.static_workgroup_memory but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @gpu.static_workgroup_memory : !transform.any_op
    transform.yield
  }
}

// -----

// workgroup-memory-global.c2
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%i: index, %s: f32) {
    // expected-note @below {{requires workgroup memory in a global or an attribution but has 'memref.alloca' (workgroup-memory-global.c2)}}
    %0 = memref.alloca() : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %s, %0[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @gpu.static_workgroup_memory but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @gpu.static_workgroup_memory : !transform.any_op
    transform.yield
  }
}
