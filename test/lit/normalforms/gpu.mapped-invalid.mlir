// Each clause of @gpu.mapped, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// no-parallel-loops.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<64xf32>, %s: f32) {
    // expected-note @below {{requires parallel loops mapped to a launch but has 'scf.forall' (no-parallel-loops.c1)}}
    scf.forall (%i) in (64) {
      memref.store %s, %m[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @gpu.mapped but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @gpu.mapped : !transform.any_op
    transform.yield
  }
}

// -----

// no-parallel-loops.c2
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<64xf32>, %s: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    // expected-note @below {{requires parallel loops mapped to a launch but has 'scf.parallel' (no-parallel-loops.c2)}}
    scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
      memref.store %s, %m[%i] : memref<64xf32>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @gpu.mapped but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @gpu.mapped : !transform.any_op
    transform.yield
  }
}
