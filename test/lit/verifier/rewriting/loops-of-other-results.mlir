// Clean-up makes one loop of two that are equal. Loops whose results have other types are not, whatever steps put into them.
// RUN: formwork check %s --static --strict
// RUN: formwork apply %s --validate -o /dev/null
// RUN: sed 's/linalg.reduce { arith.addf } .*/linalg.exp {sum} ins(%%a : tensor<64x96xf32>) outs(%%o : tensor<64x96xf32>) -> tensor<64x96xf32>/; s/%%1 : tensor<64xf32>/%%1 : tensor<64x96xf32>/; s/(tensor<64xf32>, /(tensor<64x96xf32>, /' %s > %t.mlir
// RUN: not formwork check %t.mlir --static --strict 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: cannot prove that 'transform.split_handle' succeeds: splits a handle whose number of payload ops is not known

func.func @two(%a: tensor<64x96xf32>, %sums: tensor<64xf32>, %o: tensor<64x96xf32>) -> (tensor<64xf32>, tensor<64x96xf32>) {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<64x96xf32>) outs(%sums : tensor<64xf32>) dimensions = [1] {sum}
  %1 = linalg.exp {exp} ins(%a : tensor<64x96xf32>) outs(%o : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %0, %1 : tensor<64xf32>, tensor<64x96xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %function = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %sum = transform.structured.match attributes {sum} in %function : (!transform.any_op) -> !transform.any_op
    %s, %sums = transform.structured.tile_using_forall %sum tile_sizes [32] (mapping = [#gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %s : !transform.any_op
    %exp = transform.structured.match attributes {exp} in %function : (!transform.any_op) -> !transform.any_op
    %e, %exps = transform.structured.tile_using_forall %exp tile_sizes [32] (mapping = [#gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %e : !transform.any_op
    transform.normalform.normalize %function to @tensor.bufferizable : !transform.any_op
    %loops = transform.structured.match ops{["scf.forall"]} in %function : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %loops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
