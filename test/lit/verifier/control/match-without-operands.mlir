// The loops of an op without operands have no sizes. MLIR reads some, and what it finds may match or not.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: sed 's/gt %%size/le %%size/' %s > %t.mlir
// RUN: formwork check --static %t.mlir 2>&1 | FileCheck %s

// CHECK: it asks for a destination, a result or a size that the op may not have, where MLIR reads other memory
// CHECK: : unproved: 0 errors

func.func @f() {
  linalg.generic {indexing_maps = [], iterator_types = ["parallel"]} attrs = {t} {
    linalg.yield
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match attributes {t} in %root : (!transform.any_op) -> !transform.any_op
    %same = transform.match.structured %op : (!transform.any_op) -> !transform.any_op {
    ^bb0(%inner: !transform.any_op):
      %size = transform.match.structured.dim %inner[0] : (!transform.any_op) -> !transform.param<i64>
      %eight = transform.param.constant 8 : i64 -> !transform.param<i64>
      transform.match.param.cmpi gt %size, %eight : !transform.param<i64>
      transform.match.structured.yield %inner : !transform.any_op
    }
    transform.yield
  }
}
