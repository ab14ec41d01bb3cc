// A rewrite that finds nothing to do in what was given leaves what is known of it: a trial says so.
// RUN: split-file %s %t
// RUN: formwork check --static --strict %t/canonical.mlir --transform=%t/patterns.mlir
// RUN: formwork apply %t/canonical.mlir --transform=%t/patterns.mlir --validate -o %t/out.mlir
// RUN: formwork check --static --strict %t/canonical.mlir --transform=%t/pass.mlir
// RUN: formwork apply %t/canonical.mlir --transform=%t/pass.mlir --validate -o %t/out.mlir

// Here, it folds an addition of zero.
// RUN: formwork check --static %t/folds.mlir --transform=%t/patterns.mlir 2>&1 | FileCheck %s
// A pass in front of all other steps is tried, and the check goes on from what it leaves.
// RUN: formwork check --static --strict %t/folds.mlir --transform=%t/pass.mlir
// RUN: formwork apply %t/folds.mlir --transform=%t/pass.mlir --validate -o %t/out.mlir

// A copy of a function lacks what symbols stand for.
// RUN: formwork check --static %t/calls.mlir --transform=%t/patterns.mlir 2>&1 | FileCheck %s

// CHECK: cannot prove that 'transform.structured.transpose_matmul' succeeds: can fail: not supported
// CHECK: : unproved: 0 errors

//--- canonical.mlir
func.func @f(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

//--- folds.mlir
func.func @f(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %c: tensor<8x8xf32>, %i: index) -> (tensor<8x8xf32>, index) {
  %zero = arith.constant 0 : index
  %1 = arith.addi %i, %zero : index
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, index
}

//--- calls.mlir
func.func private @other()
func.func @f(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  func.call @other() : () -> ()
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

//--- patterns.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %f = transform.get_parent_op %matmul {isolated_from_above} : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
      transform.apply_patterns.linalg.tiling_canonicalization
    } {apply_cse, max_num_rewrites = 10 : i64} : !transform.any_op
    %transposed = transform.structured.transpose_matmul %matmul : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- pass.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %same = transform.apply_registered_pass "canonicalize" to %f : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %same : (!transform.any_op) -> !transform.any_op
    %transposed = transform.structured.transpose_matmul %matmul : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
