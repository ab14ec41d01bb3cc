// Upstream outlines to a name that a symbol behind the function has already, and leaves invalid
// IR; one in front of it is taken notice of.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/once.mlir 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: formwork apply %t/payload.mlir --transform=%t/once.mlir --validate -o /dev/null
// RUN: cat %t/payload.mlir %t/taken.mlir > %t/both.mlir
// RUN: formwork check %t/both.mlir --transform=%t/once.mlir 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not mlir-opt %t/both.mlir --transform-preload-library=transform-library-paths=%t/once.mlir --transform-interpreter -o /dev/null 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// RUN: cat %t/payload.mlir %t/other.mlir > %t/two.mlir
// RUN: formwork check %t/two.mlir --transform=%t/once.mlir 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: formwork check %t/two.mlir --transform=%t/twice.mlir 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: formwork check %t/payload.mlir --transform=%t/twice.mlir 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/twice.mlir --transform-interpreter -o /dev/null 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// FREE: : proved: 0 errors
// TAKEN: cannot prove that 'transform.loop.outline' succeeds: outlines to a name that another symbol may have
// TAKEN: : unproved: 0 errors
// UPSTREAM: redefinition of symbol named 'kernel'

//--- payload.mlir
func.func @f(%m: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %v, %m[%i] : memref<8xf32>
  }
  return
}

//--- taken.mlir
func.func @kernel() {
  return
}

//--- other.mlir
func.func @g() {
  return
}

//--- once.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %outlined, %call = transform.loop.outline %loop {func_name = "kernel"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- twice.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %outlined, %call = transform.loop.outline %loop {func_name = "kernel"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %inner = transform.structured.match ops{["scf.for"]} in %outlined : (!transform.any_op) -> !transform.any_op
    %again, %second = transform.loop.outline %inner {func_name = "kernel"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
