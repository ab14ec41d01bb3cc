// Upstream ends the process where a number of steps is known although the bounds are no constants.
// RUN: split-file %s %t
// RUN: formwork check %t/same.mlir --transform=%t/unroll.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not --crash mlir-opt %t/same.mlir --transform-preload-library=transform-library-paths=%t/unroll.mlir --transform-interpreter -o /dev/null
// RUN: sed 's/%%n to %%n/%%n to %%k/' %t/same.mlir > %t/other.mlir
// RUN: formwork check %t/other.mlir --transform=%t/unroll.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t/other.mlir --transform=%t/unroll.mlir --validate -o /dev/null
// Nothing is known of a payload that is not given.
// RUN: formwork check --no-payload %t/unroll.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: formwork check %t/merged.mlir --transform=%t/unroll.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork check %t/merged.mlir --transform=%t/merge.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not --crash mlir-opt %t/merged.mlir --transform-preload-library=transform-library-paths=%t/merge.mlir --transform-interpreter -o /dev/null

// A loop that is made of another has its bounds.
// RUN: formwork check %t/forall.mlir --transform=%t/convert.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not --crash mlir-opt %t/forall.mlir --transform-preload-library=transform-library-paths=%t/convert.mlir --transform-interpreter -o /dev/null

// In a type that is narrow, or is compared without a sign, steps are not counted.
// RUN: formwork check %t/narrow.mlir --transform=%t/constants.mlir 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: formwork apply %t/narrow.mlir --transform=%t/unroll.mlir --validate -o /dev/null
// RUN: formwork apply %t/unsigned.mlir --transform=%t/unroll.mlir --validate -o /dev/null

// OPEN: cannot prove that 'transform.loop.unroll' succeeds: unrolls a loop whose trip count may be known although its bounds are not constants
// OPEN: : unproved: 0 errors
// PROVED: : proved: 0 errors
// COUNT: cannot prove that 'transform.split_handle' succeeds

//--- same.mlir
func.func @f(%m: memref<8xf32>, %n: index, %k: index, %v: f32) {
  %c1 = arith.constant 1 : index
  scf.for %i = %n to %n step %c1 {
    memref.store %v, %m[%i] : memref<8xf32>
  }
  return
}

//--- merged.mlir
func.func @f(%m: memref<8xf32>, %n: index, %v: f32) {
  %c1 = arith.constant 1 : index
  %a = arith.addi %n, %c1 : index
  %b = arith.addi %n, %c1 : index
  scf.for %i = %a to %b step %c1 {
    memref.store %v, %m[%i] : memref<8xf32>
  }
  return
}

//--- forall.mlir
func.func @f(%m: memref<8xf32>, %n: index, %v: f32) {
  scf.forall (%i) = (%n) to (%n) step (1) {
    memref.store %v, %m[%i] : memref<8xf32>
  }
  return
}

//--- narrow.mlir
func.func @f(%m: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : i8
  %c127 = arith.constant 127 : i8
  %c100 = arith.constant 100 : i8
  scf.for %i = %c0 to %c127 step %c100 : i8 {
    %c = arith.constant 0 : index
    memref.store %v, %m[%c] : memref<8xf32>
  }
  return
}

//--- unsigned.mlir
func.func @f(%m: memref<8xf32>, %v: f32) {
  %cm1 = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  scf.for unsigned %i = %cm1 to %c8 step %c1 : i32 {
    %c = arith.constant 0 : index
    memref.store %v, %m[%c] : memref<8xf32>
  }
  return
}

//--- unroll.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {factor = 2} : !transform.any_op
    transform.yield
  }
}

//--- convert.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %forall = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.loop.forall_to_for %forall : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {factor = 2} : !transform.any_op
    transform.yield
  }
}

//--- merge.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {factor = 2} : !transform.any_op
    transform.yield
  }
}

//--- constants.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {factor = 2} : !transform.any_op
    %constants = transform.structured.match ops{["arith.constant"]} in %root : (!transform.any_op) -> !transform.any_op
    %parts:5 = transform.split_handle %constants {overflow_result = 0} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
