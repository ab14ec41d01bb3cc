// Loops over the tiles of a softmax and of a sum are not one behind clean-up: their results differ in type.
// RUN: formwork check --static --strict %s
// RUN: formwork apply %s --validate -o - | FileCheck %s

// CHECK: scf.forall
// CHECK: {softmax}
// CHECK: scf.forall
// CHECK: {sum}

func.func @f(%x: tensor<64x128xf32>, %o: tensor<64x128xf32>, %s: tensor<64xf32>) -> (tensor<64x128xf32>, tensor<64xf32>) {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<64x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  %1 = linalg.reduce {arith.addf} ins(%x : tensor<64x128xf32>) outs(%s : tensor<64xf32>) dimensions = [1]
  return %0, %1 : tensor<64x128xf32>, tensor<64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %sum = transform.structured.match ops{["linalg.reduce"]} in %root : (!transform.any_op) -> !transform.any_op
    %part, %loop = transform.structured.tile_using_forall %softmax tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part_1, %loop_1 = transform.structured.tile_using_forall %sum tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    %loops = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %loops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %first "softmax" : !transform.any_op
    transform.annotate %second "sum" : !transform.any_op
    transform.yield
  }
}
