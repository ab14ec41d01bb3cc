// A loop that clean-up rewrites loses results that nothing reads. MLIR then forgets a handle to
// these values, and a use of the handle reads memory that is not its own.
// RUN: formwork check --static %s 2>&1 | FileCheck %s

// CHECK: warning: cannot prove that 'transform.debug.emit_remark_at' succeeds: uses %values, whose values may all have been erased: MLIR does not survive that [fw-unproved]
// CHECK: : unproved: 0 errors

func.func @f(%m: memref<128xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%a = %c0) -> (index) {
    memref.store %n, %m[%i] : memref<128xindex>
    scf.yield %n : index
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %func : (!transform.any_op) -> !transform.any_op
    %values = transform.get_result %loop[all] : (!transform.any_op) -> !transform.any_value
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
    } : !transform.any_op
    transform.debug.emit_remark_at %values, "here" : !transform.any_value
    transform.yield
  }
}
