// The scope of alternatives is in no other op while they try something on it, so that others cannot
// try something on it, too: upstream crashes. A question of a failed alternative about the scope
// says nothing of where it lies.
// RUN: split-file %s %t
// RUN: not formwork check %inputs/matmul.mlir --transform=%t/same.mlir 2>&1 | FileCheck %s
// RUN: formwork check %inputs/matmul.mlir --transform=%t/parent.mlir 2>&1 | FileCheck %s --check-prefix=PARENT
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/parent.mlir --validate -o %t/out.mlir

// RUN: formwork check %inputs/matmul.mlir --transform=%t/failing.mlir 2>&1 | FileCheck %s --check-prefix=FAILING
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/failing.mlir --validate -o %t/out.mlir

// CHECK: error: requires scopes that are isolated from above and lie inside another op but %x is a scope of the alternatives around it [fw-alternatives-scope]
// PARENT-NOT: fw-empty-match
// PARENT-NOT: error:
// FAILING-NOT: fw-alternatives-scope
// FAILING: unproved: 0 errors

//--- same.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%x: !transform.any_op):
      transform.alternatives %x : !transform.any_op {
      ^bb0(%y: !transform.any_op):
      }
    }
    transform.yield
  }
}

//--- parent.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%x: !transform.any_op):
      %around = transform.get_parent_op %x {nth_parent = 2 : i64} : (!transform.any_op) -> !transform.any_op
    }, {
    ^bb0(%x: !transform.any_op):
    }
    %again = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %again, "still there" : !transform.any_op
    transform.yield
  }
}

//--- failing.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%x: !transform.any_op):
      transform.alternatives %x : !transform.any_op {
      ^bb0(%y: !transform.any_op):
        %none = transform.get_parent_op %y {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
      }
    }, {
    ^bb0(%x: !transform.any_op):
    }
    transform.yield
  }
}
