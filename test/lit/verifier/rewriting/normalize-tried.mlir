// On payload as it was given, a trial on a copy says whether a normalization reaches its form, whether
// an assertion holds, and whether there is anything to do. If there is not, all stays known.
// RUN: split-file %s %t
// RUN: formwork check --static %t/payload.mlir --transform=%t/reached.mlir 2>&1 | FileCheck %s --check-prefix=REACHED
// RUN: not formwork check --static %t/payload.mlir --transform=%t/missed.mlir 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: not formwork check --static %t/payload.mlir --transform=%t/asserted.mlir 2>&1 | FileCheck %s --check-prefix=ASSERTED
// RUN: formwork check --static %t/payload.mlir --transform=%t/idle.mlir 2>&1 | FileCheck %s --check-prefix=IDLE
// RUN: formwork apply %t/payload.mlir --transform=%t/idle.mlir --validate -o /dev/null
// RUN: formwork check --static %t/payload.mlir --transform=%t/behind.mlir 2>&1 | FileCheck %s --check-prefix=BEHIND

// REACHED: : proved: 0 errors
// MISSED: missed.mlir:4:5: error: normalization does not reach @linalg.static [fw-form-not-reached]
// MISSED: payload.mlir:6:{{[0-9]+}}: note:
// ASSERTED: asserted.mlir:4:5: error: requires payload in form @linalg.on_tensors but has 'func.func' out of it [fw-form-violated]
// IDLE: : proved: 0 errors
// BEHIND: warning: cannot prove that 'transform.normalform.normalize' succeeds: normalizes to @linalg.static, which not all payload can reach [fw-unproved]

//--- payload.mlir
func.func @static(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.exp ins(%a : tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
func.func @dynamic(%a: memref<?xf32>, %b: memref<?xf32>) {
  linalg.exp ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  return
}

//--- reached.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %static, %dynamic = transform.split_handle %f : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.normalform.normalize %static to @linalg.static : !transform.any_op
    transform.normalform.assert %static is @linalg.on_tensors : !transform.any_op
    transform.yield
  }
}

//--- missed.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @linalg.static : !transform.any_op
    transform.yield
  }
}

//--- asserted.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.normalform.assert %f is @linalg.on_tensors : !transform.any_op
    transform.yield
  }
}

//--- idle.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
      transform.apply_patterns.tensor.fold_tensor_empty
    } : !transform.any_op
    transform.normalform.normalize %f to @loops.canonical : !transform.any_op
    %exps = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %exp, %other = transform.split_handle %exps : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tile, %loop = transform.structured.tile_using_for %exp tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %tile : !transform.any_op
    transform.yield
  }
}

//--- behind.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %static, %dynamic = transform.split_handle %f : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %exp = transform.structured.match ops{["linalg.exp"]} in %static : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %exp tile_sizes [3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.normalform.normalize %static to @linalg.static : !transform.any_op
    transform.yield
  }
}
