// Alternatives that fail throw the copy away that they work on: nobody sees IR that is not valid there.
// RUN: split-file %s %t
// RUN: formwork check --static %t/payload.mlir --transform=%t/mapping.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/mapping.mlir --unchecked -o - | FileCheck %s --check-prefix=KEPT
// RUN: formwork check --static %t/payload.mlir --transform=%t/alignment.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/alignment.mlir --unchecked -o - | FileCheck %s --check-prefix=KEPT

// What is verified in the end is refused.
// RUN: sed '/cmpi/d' %t/mapping.mlir > %t/kept.mlir
// RUN: not formwork apply %t/payload.mlir --transform=%t/kept.mlir --unchecked -o - 2>&1 | FileCheck %s --check-prefix=INVALID
// RUN: formwork check --static %t/payload.mlir --transform=%t/kept.mlir 2>&1 | FileCheck %s

// CHECK: : unproved: 0 errors
// KEPT: linalg.exp
// INVALID: error: 'scf.forall' op mapping attribute size must match op rank

//--- payload.mlir
func.func @f(%x: tensor<64xf32>, %y: tensor<64xf32>, %m: memref<4xf32>, %i: index) -> tensor<64xf32> {
  %v = memref.load %m[%i] : memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %exp = linalg.exp ins(%x : tensor<64xf32>) outs(%y : tensor<64xf32>) -> tensor<64xf32>
  return %exp : tensor<64xf32>
}

//--- mapping.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %r = transform.alternatives %f : !transform.any_op -> !transform.any_op {
    ^bb0(%x: !transform.any_op):
      %exp = transform.structured.match ops{["linalg.exp"]} in %x : (!transform.any_op) -> !transform.any_op
      %tile, %forall = transform.structured.tile_using_forall %exp tile_sizes [32](mapping = [#gpu.block<x>, #gpu.block<y>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      %count = transform.num_associations %forall : (!transform.any_op) -> !transform.param<i64>
      %two = transform.param.constant 2 : i64 -> !transform.param<i64>
      transform.match.param.cmpi eq %count, %two : !transform.param<i64>
      transform.yield %x : !transform.any_op
    }, {
    ^bb0(%x: !transform.any_op):
      transform.yield %x : !transform.any_op
    }
    transform.yield
  }
}

//--- alignment.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %r = transform.alternatives %f : !transform.any_op -> !transform.any_op {
    ^bb0(%x: !transform.any_op):
      %load = transform.structured.match ops{["memref.load"]} in %x : (!transform.any_op) -> !transform.any_op
      %three = transform.param.constant 3 : i64 -> !transform.param<i64>
      transform.annotate %load "alignment" = %three : !transform.any_op, !transform.param<i64>
      %count = transform.num_associations %load : (!transform.any_op) -> !transform.param<i64>
      transform.match.param.cmpi eq %count, %three : !transform.param<i64>
      transform.yield %x : !transform.any_op
    }, {
    ^bb0(%x: !transform.any_op):
      transform.yield %x : !transform.any_op
    }
    transform.yield
  }
}
