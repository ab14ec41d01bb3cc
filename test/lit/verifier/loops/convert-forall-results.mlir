// A number of results that an scf.forall has no loops for is refused, which may go unseen.
// RUN: not formwork check --static %s 2>&1 | FileCheck %s
// RUN: sed 's/failures(propagate)/failures(suppress)/' %s > %t.hidden.mlir
// RUN: formwork check --static %t.hidden.mlir 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: formwork apply %t.hidden.mlir --validate -o %t.out
// RUN: sed 's/forall_to_for/forall_to_parallel/' %t.hidden.mlir > %t.parallel.mlir
// RUN: formwork check --static %t.parallel.mlir 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: formwork apply %t.parallel.mlir --validate -o %t.out

// CHECK: error: requires 1 result, one per loop of the scf.forall, but has 2 [fw-cardinality]
// HIDDEN: warning: {{.*}}requires 1 result{{.*}} but has 2
// HIDDEN: : {{unproved|proved}}: 0 errors

module {
  func.func @f() {
    scf.forall (%i) in (4) {
    }
    return
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    transform.sequence %m : !transform.any_op failures(propagate) {
    ^bb0(%x: !transform.any_op):
      %forall = transform.structured.match ops{["scf.forall"]} in %x : (!transform.any_op) -> !transform.any_op
      %loops:2 = transform.loop.forall_to_for %forall : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}
