// Each clause of @vector.rank_reduced, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// vector.rank_reduced.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<8x16x1xf32>, %i: index) -> vector<4x1xf32> {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    // expected-note @below {{requires payload that the rules of @vector.rank_reduced do not change but they would fire: DropInnerMostUnitDimsTransferRead x1}}
    %0 = vector.transfer_read %m[%i, %i, %c0], %pad {in_bounds = [true, true]} : memref<8x16x1xf32>, vector<4x1xf32>
    return %0 : vector<4x1xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @vector.rank_reduced but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @vector.rank_reduced : !transform.any_op
    transform.yield
  }
}
