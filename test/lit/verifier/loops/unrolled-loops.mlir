// Unrolling a loop of which the steps are known makes so many copies of each op in it, with the
// attributes that these have, and a loop for the steps that are left.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/copies.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/copies.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/rest.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/rest.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/whole.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/whole.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/nest.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/nest.mlir --validate -o %t/out.mlir
// RUN: not formwork check %t/payload.mlir --transform=%t/too-few.mlir 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not formwork apply %t/payload.mlir --transform=%t/too-few.mlir -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/more-than-steps.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/more-than-steps.mlir --validate -o %t/out.mlir
// RUN: not formwork check %t/payload.mlir --transform=%t/old-handle.mlir 2>&1 | FileCheck %s --check-prefix=OLD

// CHECK: : proved: 0 errors, 0 warnings
// FEW: error: {{.*}}[fw-cardinality]
// OLD: error: {{.*}}[fw-use-after-consume]

//--- payload.mlir
func.func @f(%A: memref<16x8xf32>, %B: memref<8x32xf32>, %C: memref<16x32xf32>, %D: tensor<12x8xf32>, %E: tensor<12x8xf32>) -> tensor<12x8xf32> {
  linalg.matmul {chosen} ins(%A, %B : memref<16x8xf32>, memref<8x32xf32>) outs(%C : memref<16x32xf32>)
  %r = linalg.exp {other} ins(%D : tensor<12x8xf32>) outs(%E : tensor<12x8xf32>) -> tensor<12x8xf32>
  return %r : tensor<12x8xf32>
}

//--- copies.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {chosen} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %a tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %loop "mine" : !transform.any_op
    transform.loop.unroll %loop {factor = 4} : !transform.any_op
    %again = transform.structured.match attributes {mine} in %m : (!transform.any_op) -> !transform.any_op
    %one = transform.cast %again : !transform.any_op to !transform.op<"scf.for">
    %found = transform.structured.match attributes {chosen} in %m : (!transform.any_op) -> !transform.any_op
    %four:4 = transform.split_handle %found : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %tile2, %loop2 = transform.structured.tile_using_for %found tile_sizes [0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %one {factor = 2} : !transform.op<"scf.for">
    transform.yield
  }
}

//--- rest.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {other} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %a tile_sizes [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %loop "mine" : !transform.any_op
    transform.loop.unroll %loop {factor = 5} : !transform.any_op
    %loops = transform.structured.match attributes {mine} in %m : (!transform.any_op) -> !transform.any_op
    %two:2 = transform.split_handle %loops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %found = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %six:6 = transform.split_handle %found : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %found : !transform.any_op
    transform.yield
  }
}

//--- whole.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {other} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %a tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %loop {factor = 2} : !transform.any_op
    %found = transform.structured.match attributes {other} in %m : (!transform.any_op) -> !transform.any_op
    %three:3 = transform.split_handle %found : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %f = transform.get_parent_op %found {isolated_from_above, deduplicate} : (!transform.any_op) -> !transform.op<"func.func">
    %one = transform.split_handle %f : (!transform.op<"func.func">) -> !transform.op<"func.func">
    transform.yield
  }
}

//--- nest.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {chosen} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %a tile_sizes [4, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %loops#1 "inner" : !transform.any_op
    transform.loop.unroll %loops#0 {factor = 3} : !transform.any_op
    %inner = transform.structured.match attributes {inner} in %m : (!transform.any_op) -> !transform.any_op
    %four:4 = transform.split_handle %inner : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.loop.unroll %inner {factor = 2} : !transform.any_op
    %found = transform.structured.match attributes {chosen} in %m : (!transform.any_op) -> !transform.any_op
    %eight:8 = transform.split_handle %found : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- too-few.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {chosen} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %a tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %loop {factor = 2} : !transform.any_op
    %found = transform.structured.match attributes {chosen} in %m : (!transform.any_op) -> !transform.any_op
    %three:3 = transform.split_handle %found : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- more-than-steps.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {chosen} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %a tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %loop {factor = 3} : !transform.any_op
    %found = transform.structured.match attributes {chosen} in %m : (!transform.any_op) -> !transform.any_op
    %one = transform.split_handle %found : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- old-handle.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {chosen} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %a tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %loop {factor = 2} : !transform.any_op
    transform.annotate %tile "mine" : !transform.any_op
    transform.yield
  }
}
