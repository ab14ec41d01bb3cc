// A step that fails where nobody sees it has consumed its handle all the same, and the
// next step runs: unless the failure ends what both are in.
// RUN: split-file %s %t
// RUN: not formwork check %t/next.mlir 2>&1 | FileCheck %s --check-prefix=NEXT
// RUN: not mlir-opt %t/next.mlir --transform-interpreter -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=APPLY
// RUN: formwork check %t/left.mlir 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: formwork apply %t/left.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/iteration.mlir 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: formwork apply %t/iteration.mlir --validate -o %t/out.mlir
// RUN: not formwork check %t/behind.mlir 2>&1 | FileCheck %s --check-prefix=NEXT
// RUN: not mlir-opt %t/behind.mlir --transform-interpreter -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=APPLY

// NEXT: error: requires a valid handle but %loop is invalidated
// APPLY: uses a handle invalidated by a previously executed transform op
// LEFT: warning: requires a valid handle but %loop is invalidated
// LEFT: unproved: 0 errors

//--- next.mlir
func.func @f(%a: tensor<16x12xf32>, %b: tensor<12x8xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x12xf32>, tensor<12x8xf32>) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %0 tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%x: !transform.any_op):
      %1 = transform.loop.coalesce %loop : (!transform.any_op) -> !transform.any_op
      transform.annotate %loop "x" : !transform.any_op
    }
    transform.yield
  }
}

//--- left.mlir
func.func @f(%a: tensor<16x12xf32>, %b: tensor<12x8xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x12xf32>, tensor<12x8xf32>) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %0 tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%x: !transform.any_op):
      transform.sequence %x : !transform.any_op failures(propagate) {
      ^bb1(%y: !transform.any_op):
        %1 = transform.loop.coalesce %loop : (!transform.any_op) -> !transform.any_op
        transform.annotate %loop "x" : !transform.any_op
      }
    }
    transform.yield
  }
}

//--- iteration.mlir
func.func @f(%a: tensor<16x12xf32>, %b: tensor<12x8xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x12xf32>, tensor<12x8xf32>) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops = transform.structured.tile_using_for %0 tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%x: !transform.any_op):
      transform.foreach %loops : !transform.any_op {
      ^bb1(%loop: !transform.any_op):
        %1 = transform.loop.coalesce %loop : (!transform.any_op) -> !transform.any_op
        transform.annotate %loop "x" : !transform.any_op
      }
    }
    transform.yield
  }
}

//--- behind.mlir
func.func @f(%a: tensor<16x12xf32>, %b: tensor<12x8xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x12xf32>, tensor<12x8xf32>) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %0 tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%x: !transform.any_op):
      transform.sequence %x : !transform.any_op failures(propagate) {
      ^bb1(%y: !transform.any_op):
        %2 = transform.loop.coalesce %tile : (!transform.any_op) -> !transform.any_op
        transform.annotate %y "y" : !transform.any_op
      }
      %1 = transform.loop.coalesce %loop : (!transform.any_op) -> !transform.any_op
      transform.annotate %loop "x" : !transform.any_op
    }
    transform.yield
  }
}
