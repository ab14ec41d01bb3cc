// The claims of contracts hold for ordinary payload: a step on any other is not proved, and
// the reason names the feature. What stands beside the payload of a step does not matter to it.
// RUN: split-file %s %t
// RUN: formwork check %t/complex.mlir --transform=%t/tile.mlir --strict 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: not formwork check %t/complex.mlir --transform=%t/tile-second.mlir --strict 2>&1 | FileCheck %s --check-prefix=COMPLEX
// RUN: not formwork check %t/i32-loop.mlir --transform=%t/tile.mlir --strict 2>&1 | FileCheck %s --check-prefix=AROUND
// RUN: not formwork check %t/f128.mlir --transform=%t/tiles-of-tiles.mlir --strict 2>&1 | FileCheck %s --check-prefix=MADE
// RUN: formwork check %t/f128.mlir --transform=%t/queries.mlir --strict 2>&1 | FileCheck %s --check-prefix=QUERY

// BESIDE: : proved: 0 errors
// COMPLEX: cannot prove that 'transform.structured.tile_using_for' succeeds: is given payload for which its contract was not tested: 'element:complex' (an op that computes on complex numbers) [fw-unproved]
// COMPLEX: : unproved: 0 errors
// AROUND: is given payload for which its contract was not tested: 'loop:not-index' (an op that is a loop over another type than index) [fw-unproved]
// An op has the features of the op that it is made of.
// MADE: tiles-of-tiles.mlir:4:{{.*}}'element:unusual-float'
// MADE: note: the same holds for this step
// MADE: 3 steps, 2 unproved
// Who only looks may look at anything.
// QUERY: : proved: 0 errors

//--- complex.mlir
func.func @f(%a: tensor<16xf32>, %b: tensor<16xf32>, %c: tensor<16xcomplex<f32>>, %d: tensor<16xcomplex<f32>>) -> (tensor<16xf32>, tensor<16xcomplex<f32>>) {
  %0 = linalg.exp {first} ins(%a : tensor<16xf32>) outs(%b : tensor<16xf32>) -> tensor<16xf32>
  %1 = linalg.copy {second} ins(%c : tensor<16xcomplex<f32>>) outs(%d : tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
  return %0, %1 : tensor<16xf32>, tensor<16xcomplex<f32>>
}

//--- i32-loop.mlir
func.func @f(%a: memref<16xf32>, %b: memref<16xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    linalg.exp {first} ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  }
  return
}

//--- f128.mlir
func.func @f(%a: tensor<8x16xf128>, %b: tensor<8x16xf128>) -> tensor<8x16xf128> {
  %0 = linalg.exp {first} ins(%a : tensor<8x16xf128>) outs(%b : tensor<8x16xf128>) -> tensor<8x16xf128>
  return %0 : tensor<8x16xf128>
}

//--- tile.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match attributes {first} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- tile-second.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match attributes {second} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- tiles-of-tiles.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match attributes {first} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %small, %inner = transform.structured.tile_using_for %tile tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- queries.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match attributes {first} in %m : (!transform.any_op) -> !transform.any_op
    %function = transform.get_parent_op %op {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    %number = transform.num_associations %op : (!transform.any_op) -> !transform.param<i64>
    transform.yield
  }
}
