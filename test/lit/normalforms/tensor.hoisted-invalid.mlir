// Each clause of @tensor.hoisted, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// tensor.hoisted.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  // expected-note @below {{requires payload that the rules of @tensor.hoisted do not change but they would fire: hoist-loop-invariant-subsets x1}}
  func.func @f(%a: tensor<8x64xf32>, %out: tensor<8x32xf32>) -> tensor<8x32xf32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %pad = arith.constant 0.0 : f32
    %0 = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %out) -> tensor<8x32xf32> {
      %1 = vector.transfer_read %acc[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<8x32xf32>, vector<1x8xf32>
      %2 = vector.transfer_read %a[%c0, %k], %pad {in_bounds = [true, true]} : tensor<8x64xf32>, vector<1x8xf32>
      %3 = arith.addf %1, %2 : vector<1x8xf32>
      %4 = vector.transfer_write %3, %acc[%c0, %c0] {in_bounds = [true, true]} : vector<1x8xf32>, tensor<8x32xf32>
      scf.yield %4 : tensor<8x32xf32>
    }
    return %0 : tensor<8x32xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @tensor.hoisted but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @tensor.hoisted : !transform.any_op
    transform.yield
  }
}
