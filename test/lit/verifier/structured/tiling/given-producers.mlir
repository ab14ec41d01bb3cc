// The definition of an operand of what tiling made, and the readers of the results that loops have
// in the place of those of what was tiled, are known as long as no folding may have put something
// else there.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/views.mlir --strict
// RUN: formwork apply %t/payload.mlir --transform=%t/views.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/tensors.mlir --strict
// RUN: formwork apply %t/payload.mlir --transform=%t/tensors.mlir --validate -o %t/out.mlir
// RUN: sed 's/tile_sizes \[2\]/tile_sizes [0, 0, 2]/' %t/views.mlir > %t/whole.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/whole.mlir 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not formwork apply %t/payload.mlir --transform=%t/whole.mlir --unchecked -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/vector.lower_contraction/canonicalization/' %t/views.mlir > %t/folded.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/folded.mlir 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: formwork check %t/payload.mlir --transform=%t/read.mlir 2>&1 | FileCheck %s --check-prefix=READ
// RUN: sed 's/%%t, %%l:2 = \(.*\)\[4, 4\]\(.*\)-> (.*)/%%t = \1[0, 0]\2-> !transform.any_op/; s/%%u, %%k = \(.*\)\[2\]\(.*\)-> (.*)/%%u = \1[0]\2-> !transform.any_op/' %t/views.mlir > %t/none.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/none.mlir 2>&1 | FileCheck %s --check-prefix=WHOLE

// WHOLE: cannot prove that 'transform.get_producer_of_operand' succeeds: asks for the producer of an operand that may have none
// NONE: could not find a producer for operand number: 0
// READ-COUNT-1: cannot prove that 'transform.structured.tile_using_for' succeeds

//--- payload.mlir
func.func @views(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  linalg.matmul {onViews} ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  return
}
func.func @tensors(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill {filled} ins(%zero : f32) outs(%c : tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = linalg.matmul {onTensors} ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%0 : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}

//--- views.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match attributes {onViews} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %u, %k = transform.structured.tile_using_for %t tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_contraction
    } : !transform.any_op
    %c = transform.get_producer_of_operand %u[2] : (!transform.any_op) -> !transform.any_op
    %view = transform.cast %c : !transform.any_op to !transform.op<"memref.subview">
    %outer = transform.get_producer_of_operand %c[0] : (!transform.any_op) -> !transform.any_op
    transform.annotate %outer "mark" : !transform.any_op
    transform.yield
  }
}

//--- tensors.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match attributes {filled} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %fill tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %zero = transform.get_producer_of_operand %t[0] : (!transform.any_op) -> !transform.any_op
    transform.annotate %zero "zero" : !transform.any_op
    %some = transform.get_consumers_of_result %t[0] : (!transform.any_op) -> !transform.any_op
    %readers = transform.get_consumers_of_result %l[0] : (!transform.any_op) -> !transform.any_op
    %reader = transform.split_handle %readers : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %m : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- read.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match attributes {filled} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %fill tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %m = transform.structured.match attributes {onTensors} in %root : (!transform.any_op) -> !transform.any_op
    %before = transform.get_consumers_of_result %l[0] : (!transform.any_op) -> !transform.any_op
    %t1, %l1 = transform.structured.tile_using_for %before tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %behind = transform.get_consumers_of_result %l[0] : (!transform.any_op) -> !transform.any_op
    %t2, %l2 = transform.structured.tile_using_for %behind tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
