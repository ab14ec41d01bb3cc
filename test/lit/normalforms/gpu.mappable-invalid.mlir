// Each clause of @gpu.mappable, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// mappable-loops.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%out: tensor<64xf32>, %t: tensor<1xf32>) -> tensor<64xf32> {
    // expected-note @below {{requires bufferized loops but 'scf.forall' has results (mappable-loops.c1)}}
    %0 = scf.forall (%i) in (64) shared_outs(%o = %out) -> tensor<64xf32> {
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %t into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    return %0 : tensor<64xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @gpu.mappable but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @gpu.mappable : !transform.any_op
    transform.yield
  }
}

// -----

// mappable-loops.c2
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<?xf32>, %n: index, %s: f32) {
    // expected-note @below {{requires constant trip counts but 'scf.forall' has others (mappable-loops.c2)}}
    scf.forall (%i) in (%n) {
      memref.store %s, %m[%i] : memref<?xf32>
    } {mapping = [#gpu.thread<x>]}
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @gpu.mappable but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @gpu.mappable : !transform.any_op
    transform.yield
  }
}

// -----

// mappable-loops.c3
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<64xf32>, %s: f32) {
    // expected-note @below {{requires loops from 0 in steps of 1 but 'scf.forall' has another lower bound or step (mappable-loops.c3)}}
    scf.forall (%i) = (0) to (64) step (4) {
      memref.store %s, %m[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @gpu.mappable but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @gpu.mappable : !transform.any_op
    transform.yield
  }
}

// -----

// mappable-loops.c4
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<64xf32>, %s: f32) {
    // expected-note @below {{requires a mapping to blocks or threads but 'scf.forall' has none (mappable-loops.c4)}}
    scf.forall (%i) in (64) {
      memref.store %s, %m[%i] : memref<64xf32>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @gpu.mappable but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @gpu.mappable : !transform.any_op
    transform.yield
  }
}
