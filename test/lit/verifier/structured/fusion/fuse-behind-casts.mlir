// Clean-up may fold a reader of a producer between an op and what it reads.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/fuse.mlir 2>&1 | FileCheck %s --check-prefix=FUSE
// RUN: not formwork apply %t/payload.mlir --transform=%t/fuse.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: formwork check %t/payload.mlir --transform=%t/into.mlir 2>&1 | FileCheck %s --check-prefix=INTO --implicit-check-not=error:
// RUN: formwork apply %t/payload.mlir --transform=%t/into.mlir --validate -o /dev/null
// FUSE: cannot prove that 'transform.split_handle' succeeds
// FUSE: : unproved: 0 errors
// FAILS: expected to contain 1 payloads but it contains 2
// A trial where it stands tells that the producer is fused.
// INTO: : proved: 0 errors

//--- payload.mlir
func.func @f(%a: tensor<8x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = linalg.exp ins(%a : tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  %open = tensor.cast %0 : tensor<8x4xf32> to tensor<?x4xf32>
  %closed = tensor.cast %open : tensor<?x4xf32> to tensor<8x4xf32>
  %1 = linalg.add ins(%closed, %a : tensor<8x4xf32>, tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

//--- fuse.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %tile, %loop = transform.structured.fuse %add tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %one = transform.split_handle %exp {pass_through_empty_handle = false} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- into.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %add tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %into = transform.structured.fuse_into_containing_op %exp into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
