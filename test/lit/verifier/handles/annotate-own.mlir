// An attribute that an op or a dialect verifies may not be valid as an annotation, and what was
// known of the op, or of a loop that runs to it, holds no more.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/own.mlir 2>&1 | FileCheck %s --check-prefix=OPEN -DNAME=unsignedCmp
// RUN: sed 's/"unsignedCmp"/"nvvm.kernel"/' %t/own.mlir > %t/dialect.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/dialect.mlir 2>&1 | FileCheck %s --check-prefix=OPEN -DNAME=nvvm.kernel
// RUN: not formwork apply %t/payload.mlir --transform=%t/dialect.mlir -o /dev/null
// RUN: sed 's/"unsignedCmp"/"mine"/' %t/own.mlir > %t/free.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/free.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork check %t/payload.mlir --transform=%t/bound.mlir 2>&1 | FileCheck %s --check-prefix=BOUND --implicit-check-not=error:
// RUN: formwork apply %t/payload.mlir --transform=%t/bound.mlir --validate -o /dev/null
// OPEN: cannot prove that 'transform.annotate' succeeds: gives an op or dialect attribute '[[NAME]]', which is verified, a value that may not be valid
// OPEN: : unproved: 0 errors
// PROVED: : proved: 0 errors
// BOUND: : unproved: 0 errors

//--- payload.mlir
func.func @f(%m: memref<64xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant {here} 64 : index
  scf.for %i = %c0 to %c64 step %c4 {
    memref.store %v, %m[%i] : memref<64xf32>
  }
  return
}

//--- own.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %loop "unsignedCmp" : !transform.any_op
    transform.yield
  }
}

//--- bound.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %bound = transform.structured.match ops{["arith.constant"]} attributes {here} in %root : (!transform.any_op) -> !transform.any_op
    %value = transform.param.constant 63 : index -> !transform.any_param
    transform.annotate %bound "value" = %value : !transform.any_op, !transform.any_param
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %main, %rest = transform.loop.peel %loop : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
