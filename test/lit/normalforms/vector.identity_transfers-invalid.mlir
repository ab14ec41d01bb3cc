// Each clause of @vector.identity_transfers, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// identity-transfers.c1
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<16x16xf32>, %i: index) -> vector<4x8xf32> {
    %pad = arith.constant 0.0 : f32
    // expected-note @below {{requires transfers along the innermost dimensions but 'vector.transfer_read' permutes (identity-transfers.c1)}}
    // expected-note @below {{requires payload that the rules of @vector.identity_transfers do not change but they would fire: TransferReadPermutationLowering x1}}
    %0 = vector.transfer_read %m[%i, %i], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<16x16xf32>, vector<4x8xf32>
    return %0 : vector<4x8xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @vector.identity_transfers but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @vector.identity_transfers : !transform.any_op
    transform.yield
  }
}

// -----

// vector.identity_transfers.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<16x16xf32>, %i: index) -> vector<4x8xf32> {
    %pad = arith.constant 0.0 : f32
    // expected-note @below {{requires transfers along the innermost dimensions but 'vector.transfer_read' permutes (identity-transfers.c1)}}
    // expected-note @below {{requires payload that the rules of @vector.identity_transfers do not change but they would fire: TransferReadPermutationLowering x1}}
    %0 = vector.transfer_read %m[%i, %i], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<16x16xf32>, vector<4x8xf32>
    return %0 : vector<4x8xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @vector.identity_transfers but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @vector.identity_transfers : !transform.any_op
    transform.yield
  }
}
