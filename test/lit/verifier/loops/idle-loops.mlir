// A loop that yields what its first iteration has, and that does nothing else, goes
// with clean-up, however often it runs and whoever uses its results.
// RUN: split-file %s %t
// RUN: formwork check %t/idle.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s
// RUN: not mlir-opt %t/idle.mlir --transform-preload-library=transform-library-paths=%t/schedule.mlir --transform-interpreter -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: formwork check %t/busy.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s --check-prefix=BUSY
// RUN: formwork apply %t/busy.mlir --transform=%t/schedule.mlir --validate -o %t/out.mlir

// CHECK: cannot prove that 'transform.apply_patterns' succeeds: may replace payload of %loop, which is used later, by something that no handle can follow
// BUSY: warning: has no effect: the target is unchanged [fw-step-idle]
// BUSY: : proved: 0 errors
// STOCK: tracking listener failed to find replacement op

//--- idle.mlir
func.func @f(%x: i32, %v: vector<6xf32>) -> (i32, vector<6xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %r:2 = scf.for %i = %c0 to %c9 step %c4 iter_args(%a = %x, %b = %v) -> (i32, vector<6xf32>) {
    %c2 = arith.constant 2 : i32
    scf.yield %c2, %b : i32, vector<6xf32>
  }
  return %r#0, %r#1 : i32, vector<6xf32>
}

//--- busy.mlir
func.func @f(%A: tensor<9x9xf32>, %B: memref<9xf32>, %x: f32) -> tensor<9x9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    memref.store %x, %B[%i] : memref<9xf32>
  }
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %A) -> (tensor<9x9xf32>) {
    %s = linalg.matmul ins(%A, %A : tensor<9x9xf32>, tensor<9x9xf32>) outs(%a : tensor<9x9xf32>) -> tensor<9x9xf32>
    scf.yield %s : tensor<9x9xf32>
  }
  return %r : tensor<9x9xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %m {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.loop.promote_if_one_iteration %loop : !transform.any_op
    transform.yield
  }
}
