// An action of foreach_match that takes the op behind the one that was matched erases the one
// at which the walk goes on, and the interpreter crashes. What is in front it may take.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/behind.mlir 2>&1 | FileCheck %s --check-prefix=BEHIND
// RUN: not --crash mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/behind.mlir --transform-interpreter -o /dev/null
// RUN: sed 's/\["linalg.fill"\]/["linalg.matmul"]/; s/get_consumers_of_result %%op\[0\]/get_producer_of_operand %%op[2]/' %t/behind.mlir > %t/front.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/front.mlir 2>&1 | FileCheck %s --check-prefix=FRONT
// RUN: formwork apply %t/payload.mlir --transform=%t/front.mlir --validate -o /dev/null

// BEHIND: cannot prove that 'transform.structured.tile_using_for' succeeds: may erase an op that 'transform.foreach_match' has not visited yet
// BEHIND: : unproved:
// FRONT: : proved: 0 errors, 0 warnings

//--- payload.mlir
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

//--- behind.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_wanted(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.fill"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @tile(%op: !transform.any_op {transform.readonly}) {
    %beside = transform.get_consumers_of_result %op[0] : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %beside tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %u = transform.foreach_match in %module @is_wanted -> @tile : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
