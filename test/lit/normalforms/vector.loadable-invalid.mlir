// Each clause of @vector.loadable, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// loadable-vectors.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<64xf32>, %i: index) -> vector<4xf32> {
    %pad = arith.constant 0.0 : f32
    // expected-note @below {{requires plain vector loads and stores but has 'vector.transfer_read' (loadable-vectors.c1)}}
    %0 = vector.transfer_read %m[%i], %pad : memref<64xf32>, vector<4xf32>
    return %0 : vector<4xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @vector.loadable but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @vector.loadable : !transform.any_op
    transform.yield
  }
}

// -----

// loadable-vectors.c2
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4x4xf32> {
    // expected-note @below {{requires element-wise arithmetic on vectors but has 'vector.outerproduct' (loadable-vectors.c2)}}
    %0 = vector.outerproduct %a, %b : vector<4xf32>, vector<4xf32>
    return %0 : vector<4x4xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @vector.loadable but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @vector.loadable : !transform.any_op
    transform.yield
  }
}

// -----

// loadable-vectors.c3; rank above 1 is no violation of arithmetic and insertions
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<4x4xf32>, %i: index, %row: vector<4xf32>) {
    // expected-note @below {{requires loads and stores of vectors of rank 1 but 'vector.load' has one of type vector<4x4xf32> (loadable-vectors.c3)}}
    %0 = vector.load %m[%i, %i] : memref<4x4xf32>, vector<4x4xf32>
    %1 = arith.addf %0, %0 : vector<4x4xf32>
    %2 = vector.insert %row, %1 [1] : vector<4xf32> into vector<4x4xf32>
    // expected-note @below {{requires loads and stores of vectors of rank 1 but 'vector.store' has one of type vector<4x4xf32> (loadable-vectors.c3)}}
    vector.store %2, %m[%i, %i] : memref<4x4xf32>, vector<4x4xf32>
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @vector.loadable but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @vector.loadable : !transform.any_op
    transform.yield
  }
}
