// An op that may have gone may be all that a handle held: consuming
// it then invalidates nothing else. And a handle that has an op
// twice is refused in a way that alternatives recover from.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/gone.mlir 2>&1 | FileCheck %s
// RUN: mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/gone.mlir --transform-interpreter -o %t/out.mlir
// RUN: formwork apply %t/payload.mlir --transform=%t/twice.mlir --validate -o %t/out.mlir

// CHECK-NOT: error:
// CHECK: warning: requires a valid handle but %f may be invalidated

//--- payload.mlir
func.func @f(%A: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %read = linalg.matmul ins(%A, %A : tensor<8x8xf32>, tensor<8x8xf32>) outs(%A : tensor<8x8xf32>) -> tensor<8x8xf32>
  %unused = linalg.exp ins(%read : tensor<8x8xf32>) outs(%A : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %A : tensor<8x8xf32>
}

//--- gone.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %matmul : (!transform.any_op) -> !transform.any_op
    %around = transform.get_parent_op %generic {isolated_from_above, deduplicate} : (!transform.any_op) -> !transform.any_op
    %new = transform.apply_registered_pass "canonicalize" to %around : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %f, "here" : !transform.any_op
    transform.yield
  }
}

//--- twice.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%x: !transform.any_op):
      %twice = transform.merge_handles %x, %x : !transform.any_op
      %new = transform.apply_registered_pass "canonicalize" to %twice : (!transform.any_op) -> !transform.any_op
    }, {
    ^bb0(%x: !transform.any_op):
    }
    transform.yield
  }
}
