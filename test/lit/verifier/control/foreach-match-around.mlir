// An action of foreach_match that cleans up around what was matched may erase the op at
// which the walk goes on, and the interpreter crashes. In what was matched it may.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/around.mlir 2>&1 | FileCheck %s --check-prefix=AROUND
// RUN: not --crash mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/around.mlir --transform-interpreter -o /dev/null
// RUN: formwork check %t/payload.mlir --transform=%t/inside.mlir 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: formwork apply %t/payload.mlir --transform=%t/inside.mlir --validate -o /dev/null

// AROUND: cannot prove that 'transform.apply_patterns' succeeds: may erase an op that 'transform.foreach_match' has not visited yet
// AROUND: : unproved:
// INSIDE: : proved: 0 errors, 0 warnings

//--- payload.mlir
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %dead = tensor.cast %a : tensor<4x8xf32> to tensor<?x8xf32>
  return %0 : tensor<4x4xf32>
}

//--- around.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}, %func: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    transform.yield %func : !transform.any_op
  }
  transform.named_sequence @clean(%func: !transform.any_op {transform.readonly}) {
    transform.apply_patterns to %func { transform.apply_patterns.canonicalization } : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %funcs = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %u = transform.foreach_match in %module, %funcs @is_matmul -> @clean : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- inside.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_func(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["func.func"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @clean(%func: !transform.any_op {transform.readonly}) {
    transform.apply_patterns to %func { transform.apply_patterns.canonicalization } : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %u = transform.foreach_match in %module @is_func -> @clean : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
