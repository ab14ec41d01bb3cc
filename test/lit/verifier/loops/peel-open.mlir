// Peeling takes the last step of a loop over a size that only the machine or the caller knows; a
// loop over a size that a user of the result tells may have none.
// RUN: split-file %s %t
// RUN: formwork check %t/open.mlir --transform=%t/schedule.mlir --strict
// RUN: formwork apply %t/open.mlir --transform=%t/schedule.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/static.mlir --transform=%t/scaled.mlir --strict
// RUN: formwork apply %t/static.mlir --transform=%t/scaled.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/told.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s

// CHECK: cannot prove that 'transform.loop.peel' succeeds: peels a loop that may have no partial iteration

//--- open.mlir
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.exp ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

//--- static.mlir
func.func @f(%a: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.exp ins(%a : tensor<16xf32>) outs(%a : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

//--- told.mlir
func.func @f(%a: tensor<?xf32>) -> tensor<16xf32> {
  %r = linalg.exp ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  %told = tensor.cast %r : tensor<?xf32> to tensor<16xf32>
  return %told : tensor<16xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %exp tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">)
    %main, %rest = transform.loop.peel %loop : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- scaled.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %exp tile_sizes [[8]] : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">)
    %main, %rest = transform.loop.peel %loop : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
