// CSE takes away only what is there twice or what nothing needs, and canonicalization
// no linalg.generic of which the body computes: handles live on behind them.
// RUN: split-file %s %t
// RUN: formwork check %t/sum.mlir --transform=%t/schedule.mlir --strict
// RUN: formwork apply %t/sum.mlir --transform=%t/schedule.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/identity.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s
// RUN: not mlir-opt %t/identity.mlir --transform-preload-library=transform-library-paths=%t/schedule.mlir --transform-interpreter -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=STOCK

// CHECK: cannot prove that 'transform.apply_patterns' succeeds: may replace payload of %tile, which is used later, by something that no handle can follow
// STOCK: tracking listener failed to find replacement op

//--- sum.mlir
func.func @f(%A: memref<8x8xf32>, %B: memref<8x8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]} ins(%A : memref<8x8xf32>) outs(%B : memref<8x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  }
  return
}

//--- identity.mlir
func.func @f(%A: tensor<8x8xf32>, %B: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0 : i32
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]} ins(%A : tensor<8x8xf32>) outs(%B : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %bits = arith.bitcast %a : f32 to i32
    %same = arith.addi %bits, %zero : i32
    %back = arith.bitcast %same : i32 to f32
    linalg.yield %back : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %small, %loop = transform.structured.tile_using_for %tile tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
