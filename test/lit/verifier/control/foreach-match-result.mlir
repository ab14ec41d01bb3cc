// A matcher asks for the first result of a structured op. Of one on buffers, MLIR reads
// what is not there, and may crash: also where a step came before, so that the matcher
// is not tried on the op itself.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: sed 's/memref</tensor</g; s/linalg.copy ins/%r = linalg.copy ins/; s/outs(%b : tensor<8xf32>)/& -> tensor<8xf32>/' %s > %t.mlir
// RUN: formwork check --static %t.mlir 2>&1 | FileCheck %s --check-prefix=TENSOR

// CHECK: note: it asks for a destination, a result or a size that the op may not have, where MLIR reads other memory
// CHECK: unproved: 0 errors
// TENSOR: : proved: 0 errors

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
    linalg.copy ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
    return
  }
  transform.named_sequence @has_result(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %0 = transform.match.structured %op : (!transform.any_op) -> !transform.any_op {
    ^bb0(%structured: !transform.any_op):
      %user = transform.match.structured.result %structured[0] any : (!transform.any_op) -> !transform.any_op
      transform.match.structured.yield %structured : !transform.any_op
    }
    transform.yield %0 : !transform.any_op
  }
  transform.named_sequence @nothing(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    %same = transform.foreach_match in %f @has_result -> @nothing : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
