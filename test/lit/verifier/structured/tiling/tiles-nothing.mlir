// Sizes that are all 0 leave a copy of the op in its place, with all its attributes and
// without a loop around it.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/schedule.mlir --strict -Wno-fw-step-idle
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir --validate -o %t/out.mlir
// RUN: FileCheck %s --input-file=%t/out.mlir
// RUN: not formwork check %t/payload.mlir --transform=%t/stale.mlir 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: not formwork check %t/payload.mlir --transform=%t/around.mlir 2>&1 | FileCheck %s --check-prefix=AROUND

// CHECK: linalg.exp {again, note}
// STALE: [fw-use-after-consume]
// AROUND: error:

//--- payload.mlir
func.func @f(%A: tensor<?x8xf32>, %B: tensor<?x8xf32>, %C: memref<8xf32>, %D: memref<8xf32>) -> tensor<?x8xf32> {
  %r = linalg.exp {note} ins(%A : tensor<?x8xf32>) outs(%B : tensor<?x8xf32>) -> tensor<?x8xf32>
  linalg.add ins(%C, %C : memref<8xf32>, memref<8xf32>) outs(%D : memref<8xf32>)
  return %r : tensor<?x8xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %none = transform.param.constant 0 : i64 -> !transform.param<i64>
    %exp = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %copy, %loop = transform.structured.tile_using_for %exp tile_sizes [0, %none] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %found = transform.structured.match ops{["linalg.exp"]} attributes {note} in %m : (!transform.any_op) -> !transform.op<"linalg.exp">
    transform.annotate %found "again" : !transform.op<"linalg.exp">
    transform.annotate %loop "never" : !transform.any_op
    %add = transform.structured.match ops{["linalg.add"]} in %m : (!transform.any_op) -> !transform.any_op
    %same = transform.structured.tile_using_for %add tile_sizes [0] : (!transform.any_op) -> !transform.any_op
    %tile, %around = transform.structured.tile_using_for %same tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- stale.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %m : (!transform.any_op) -> !transform.any_op
    %same = transform.structured.tile_using_for %add tile_sizes [0] : (!transform.any_op) -> !transform.any_op
    transform.annotate %add "gone" : !transform.any_op
    transform.yield
  }
}

//--- around.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %m : (!transform.any_op) -> !transform.any_op
    %same = transform.structured.tile_using_for %add tile_sizes [0] : (!transform.any_op) -> !transform.any_op
    %loop = transform.get_parent_op %same {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
