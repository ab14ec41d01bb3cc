// Each clause of @vector.accumulators_hoisted, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// vector.accumulators_hoisted.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  // expected-note @below {{requires payload that the rules of @vector.accumulators_hoisted do not change but they would fire: hoist-redundant-vector-transfers x1}}
  func.func @f(%m: memref<16x16xf32>, %v: vector<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %pad = arith.constant 0.0 : f32
    scf.for %i = %c0 to %c8 step %c1 {
      %0 = vector.transfer_read %m[%c0, %c0], %pad {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %1 = arith.addf %0, %v : vector<4xf32>
      vector.transfer_write %1, %m[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @vector.accumulators_hoisted but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @vector.accumulators_hoisted : !transform.any_op
    transform.yield
  }
}
