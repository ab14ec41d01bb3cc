// A handle is repeated as often as the pattern has ops: its ops, or its values.
// RUN: split-file %s %t
// RUN: formwork check %inputs/matmul.mlir --transform=%t/values.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/values.mlir --validate -o %t/out.mlir
// RUN: not formwork check %inputs/matmul.mlir --transform=%t/ops.mlir 2>&1 | FileCheck %s --check-prefix=OPS
// RUN: not formwork apply %inputs/matmul.mlir --transform=%t/ops.mlir -o %t/out.mlir

// CHECK: : proved: 0 errors
// OPS: error: requires each payload op only once but %twice holds one op more than once [fw-duplicate-payload]

//--- values.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %both = transform.structured.match ops{["linalg.fill", "linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %size = transform.param.constant 8 : i64 -> !transform.param<i64>
    %sizes = transform.replicate num(%both) %size : !transform.any_op, !transform.param<i64>
    %tiles, %loops = transform.structured.tile_using_for %both tile_sizes [%sizes] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.verify %m : !transform.any_op
    transform.yield
  }
}

//--- ops.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %both = transform.structured.match ops{["linalg.fill", "linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %twice = transform.replicate num(%both) %matmul : !transform.any_op, !transform.any_op
    %tiles, %loops = transform.structured.tile_using_for %twice tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
