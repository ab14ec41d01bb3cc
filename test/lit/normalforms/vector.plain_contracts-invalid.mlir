// Each clause of @vector.plain_contracts, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// vector.plain_contracts.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: memref<1x8xf32>, %b: memref<8x4xf32>, %acc: vector<1x4xf32>) -> vector<1x4xf32> {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0, d1)>} : memref<1x8xf32>, vector<1x4x8xf32>
    %1 = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (0, d1, d0)>} : memref<8x4xf32>, vector<1x4x8xf32>
    %2 = arith.mulf %0, %1 : vector<1x4x8xf32>
    // expected-note @below {{requires payload that the rules of @vector.plain_contracts do not change but they would fire: driver.dead x5, TransferReadPermutationLowering x2}}
    %3 = vector.multi_reduction <add>, %2, %acc [2] : vector<1x4x8xf32> to vector<1x4xf32>
    return %3 : vector<1x4xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @vector.plain_contracts but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @vector.plain_contracts : !transform.any_op
    transform.yield
  }
}
