// Each clause of @vector.rank_one_transfers, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// vector.rank_one_transfers.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%m: memref<3x16x16xf32>, %i: index) -> vector<2x8xf32> {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %s = memref.subview %m[%i, 0, 0] [1, 16, 16] [1, 1, 1] : memref<3x16x16xf32> to memref<16x16xf32, strided<[16, 1], offset: ?>>
    // expected-note @below {{requires payload that the rules of @vector.rank_one_transfers do not change but they would fire: driver.dead x2, driver.fold x2, LoadOpOfSubViewOpFolder<mlir::vector::TransferReadOp> x1, UnrollTransferReadConversion x1, InsertChainFullyInitialized x1, unroll-transfers x1}}
    %0 = vector.transfer_read %s[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf32, strided<[16, 1], offset: ?>>, vector<2x8xf32>
    return %0 : vector<2x8xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @vector.rank_one_transfers but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @vector.rank_one_transfers : !transform.any_op
    transform.yield
  }
}
