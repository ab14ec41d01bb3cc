// Each clause of @gpu.launchable, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// kernel-ready.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<65xf32>, %s: f32) {
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      // expected-note @below {{requires vectors or scalars in a kernel but has 'linalg.fill' (kernel-ready.c1)}}
      linalg.fill ins(%s : f32) outs(%m : memref<65xf32>)
      gpu.terminator
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @gpu.launchable but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @gpu.launchable : !transform.any_op
    transform.yield
  }
}

// -----

// kernel-ready.c2
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<65xf32>, %s: f32) {
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      // expected-note @below {{requires one launch but has one in another (kernel-ready.c2)}}
      gpu.launch blocks(%bx1, %by1, %bz1) in (%gx1 = %c1, %gy1 = %c1, %gz1 = %c1)
                 threads(%tx1, %ty1, %tz1) in (%sx1 = %c1, %sy1 = %c1, %sz1 = %c1) {
        gpu.terminator
      }
      gpu.terminator
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @gpu.launchable but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @gpu.launchable : !transform.any_op
    transform.yield
  }
}

// -----

// kernel-ready.c3
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<65xf32>, %s: f32) {
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      // expected-note @below {{requires no heap allocation in a kernel but has one of type memref<65xf32> (kernel-ready.c3)}}
      %0 = memref.alloc() : memref<65xf32>
      memref.store %s, %0[%tx] : memref<65xf32>
      gpu.terminator
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @gpu.launchable but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @gpu.launchable : !transform.any_op
    transform.yield
  }
}
