// An op that surely stays keeps its attributes, and what clean-up makes has none that such an
// op has: a match by attributes finds the op, and nothing else.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/canonicalize.mlir 2>&1 | FileCheck %s
// RUN: formwork check %t/payload.mlir --transform=%t/sccp.mlir 2>&1 | FileCheck %s
// RUN: formwork check %t/payload.mlir --transform=%t/pass.mlir 2>&1 | FileCheck %s
// RUN: formwork check %t/payload.mlir --transform=%t/dead.mlir 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: formwork apply %t/payload.mlir --transform=%t/dead.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/copy.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/copy.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/self-copy.mlir 2>&1 | FileCheck %s --check-prefix=DEAD
// RUN: formwork apply %t/payload.mlir --transform=%t/canonicalize.mlir --validate -o %t/out.mlir
// RUN: formwork apply %t/payload.mlir --transform=%t/sccp.mlir --validate -o %t/out.mlir
// RUN: formwork apply %t/payload.mlir --transform=%t/pass.mlir --validate -o %t/out.mlir

// CHECK: : proved: 0 errors, 0 warnings
// GONE: warning: requires a payload op to match but 'func.func' has none at this point, {{.*}} [fw-empty-match]
// GONE: : proved: 0 errors, 1 warning
// DEAD: cannot prove

//--- payload.mlir
func.func @f(%A: memref<8x8xf32>, %B: memref<8x8xf32>, %C: memref<8x8xf32>, %D: tensor<8x8xf32>) {
  %dead = linalg.copy {unused} ins(%D : tensor<8x8xf32>) outs(%D : tensor<8x8xf32>) -> tensor<8x8xf32>
  linalg.copy {copied} ins(%A : memref<8x8xf32>) outs(%B : memref<8x8xf32>)
  linalg.copy {same} ins(%A : memref<8x8xf32>) outs(%A : memref<8x8xf32>)
  linalg.matmul {chosen} ins(%A, %B : memref<8x8xf32>, memref<8x8xf32>) outs(%C : memref<8x8xf32>)
  return
}

//--- canonicalize.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %chosen = transform.structured.match attributes {chosen} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %chosen tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- sccp.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "sccp" to %f : (!transform.any_op) -> !transform.any_op
    %chosen = transform.structured.match attributes {chosen} in %g : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %chosen tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- pass.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "canonicalize" to %f : (!transform.any_op) -> !transform.any_op
    %h = transform.apply_registered_pass "cse" to %g : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %h : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- dead.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "canonicalize" to %f : (!transform.any_op) -> !transform.any_op
    %unused = transform.structured.match attributes {unused} in %g : (!transform.any_op) -> !transform.any_op
    %one = transform.split_handle %unused : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- copy.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %copied = transform.structured.match attributes {copied} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %copied tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- self-copy.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %same = transform.structured.match attributes {same} in %m : (!transform.any_op) -> !transform.any_op
    %one = transform.split_handle %same : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
