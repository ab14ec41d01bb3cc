// Handles to payload in the anchor after a normalization. A pass is run on a copy, which takes the
// place of all, so that they may be empty; indices are sunk in place.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/sunk.mlir --strict
// RUN: formwork apply %t/payload.mlir --transform=%t/sunk.mlir --validate -o - | FileCheck %s --check-prefix=SUNK
// SUNK: gpu.launch
// SUNK: } {seen}

// RUN: sed 's/@gpu.indices_sunk/@mine/' %t/sunk.mlir > %t/pass.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/pass.mlir --forms=%t/forms.mlir 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not formwork apply %t/payload.mlir --transform=%t/pass.mlir --forms=%t/forms.mlir -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// PASS: cannot prove that 'transform.split_handle' succeeds
// FAILS: expected to contain 1 payloads but it contains 0

// An op that may be the anchor itself stays that.
// RUN: formwork apply %t/fill.mlir --transform=%t/parent.mlir --forms=%t/forms.mlir --validate -o - | FileCheck %s --check-prefix=PARENT
// PARENT: attributes {seen}

//--- payload.mlir
func.func @f(%m: memref<64xf32>, %s: f32, %n: index) {
  %c2 = arith.constant 2 : index
  %c3 = arith.ceildivsi %n, %c2 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c2, %gz = %c2)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c2, %sz = %c2) {
    memref.store %s, %m[%c3] : memref<64xf32>
    gpu.terminator
  }
  return
}

//--- forms.mlir
normalform.form @mine summary "divisions expanded" {
  normalform.procedure "pass:arith-expand"
}

//--- sunk.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @gpu.indices_sunk : !transform.any_op
    %one = transform.split_handle %launch {pass_through_empty_handle = false} : (!transform.any_op) -> !transform.any_op
    transform.annotate %one "seen" : !transform.any_op
    transform.yield
  }
}

//--- fill.mlir
func.func @f(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%a : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

//--- parent.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @mine : !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %fill tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %parent = transform.get_parent_op %loop : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @mine : !transform.any_op
    transform.annotate %parent "seen" : !transform.any_op
    transform.yield
  }
}
