// The scf.forall of a tiling is given what the tiled op wrote over, as long as its bounds are
// static; a loop that it becomes has no attributes.
// RUN: formwork check %s --strict
// RUN: formwork apply %s --validate -o - | FileCheck %s
// RUN: sed 's/%%l\[0\]/%%l[1]/' %s > %t.mlir
// RUN: formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not formwork apply %t.mlir --unchecked -o - 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: linalg.fill {mark}
// OPEN: cannot prove that 'transform.get_producer_of_operand' succeeds: asks for the producer of an operand that may have none
// NONE: could not find a producer for operand number: 1

func.func @f(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%0 : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}
func.func @g(%a: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill {buffers} ins(%zero : f32) outs(%a : memref<16x16xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %m tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %slice = transform.get_producer_of_operand %t[0] : (!transform.any_op) -> !transform.any_op
    %is = transform.cast %slice : !transform.any_op to !transform.op<"tensor.extract_slice">
    %p = transform.get_producer_of_operand %l[0] : (!transform.any_op) -> !transform.any_op
    transform.annotate %p "mark" : !transform.any_op
    %buffers = transform.structured.match attributes {buffers} in %root : (!transform.any_op) -> !transform.any_op
    %bt, %bl = transform.structured.tile_using_forall %buffers tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %view = transform.get_producer_of_operand %bt[1] : (!transform.any_op) -> !transform.any_op
    %subview = transform.cast %view : !transform.any_op to !transform.op<"memref.subview">
    %for = transform.loop.forall_to_for %bl : (!transform.any_op) -> !transform.any_op
    %again = transform.structured.match attributes {buffers} in %root : (!transform.any_op) -> !transform.any_op
    %only = transform.split_handle %again : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
