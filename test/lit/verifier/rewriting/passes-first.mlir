// The check knows what passes in front of all other steps leave: a trial on a copy of the payload tells.
// A pass that finds nothing to do leaves all that is known; so does one without the ops that it converts.
// RUN: split-file %s %t
// RUN: formwork check --static %t/payload.mlir --transform=%t/schedule.mlir | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir -o /dev/null
// RUN: not formwork check --static %t/payload.mlir --transform=%t/four.mlir 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: not formwork check --static %t/payload.mlir --transform=%t/stale.mlir 2>&1 | FileCheck %s --check-prefix=STALE

// CHECK: : proved: 0 errors
// FOUR: error: requires 4 payload ops in %all but it has 3 [fw-cardinality]
// STALE: error: requires a valid handle but %exp is invalidated [fw-use-after-consume]

//--- payload.mlir
module {
  func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
  func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = linalg.exp ins(%a : tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = arith.addf %0, %a : tensor<8x8xf32>
    %2 = arith.mulf %1, %a : tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.apply_registered_pass "linalg-detensorize" to %f : (!transform.any_op) -> !transform.any_op
    %1 = transform.apply_registered_pass "convert-elementwise-to-linalg" to %0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.apply_registered_pass "linalg-morph-ops" to %1 : (!transform.any_op) -> !transform.any_op
    %3 = transform.apply_registered_pass "eliminate-empty-tensors" to %2 : (!transform.any_op) -> !transform.any_op
    %4 = transform.apply_registered_pass "affine-loop-unroll" to %3 : (!transform.any_op) -> !transform.any_op
    %made = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    %add, %mul = transform.split_handle %made : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiled, %loop = transform.structured.tile_using_for %mul tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %tiled vector_sizes [4, 8] : !transform.any_op
    transform.yield
  }
}

//--- four.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.apply_registered_pass "convert-elementwise-to-linalg" to %f : (!transform.any_op) -> !transform.any_op
    %all = transform.structured.match interface{LinalgOp} in %m : (!transform.any_op) -> !transform.any_op
    %parts:4 = transform.split_handle %all : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- stale.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %exp = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.apply_registered_pass "convert-elementwise-to-linalg" to %f : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %exp tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
