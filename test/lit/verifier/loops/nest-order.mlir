// Loops that lie in each other are found from the innermost out. The steps of a
// loop that tiling made are known, so that it is known what peeling does.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/split.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t/payload.mlir --transform=%t/split.mlir --validate -o - | FileCheck %s --check-prefix=SPLIT
// RUN: formwork check %t/payload.mlir --transform=%t/peel.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t/payload.mlir --transform=%t/peel.mlir --validate -o - | FileCheck %s --check-prefix=PEEL
// RUN: not formwork check %t/payload.mlir --transform=%t/nothing.mlir 2>&1 | FileCheck %s --check-prefix=NOTHING

// PROVED: : proved: 0 errors, 0 warnings
// SPLIT: } {inner}
// SPLIT: } {outer}
// PEEL: {main}
// PEEL: {rest}
// NOTHING: error: requires a loop with a partial last iteration but its step 4 divides its range 128 [fw-nothing-to-peel]

//--- payload.mlir
func.func @f(%a: memref<128x256xf32>, %b: memref<256x512xf32>, %c: memref<128x512xf32>) {
  linalg.matmul ins(%a, %b : memref<128x256xf32>, memref<256x512xf32>) outs(%c : memref<128x512xf32>)
  return
}

//--- split.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %two:2 = transform.split_handle %loops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %two#0 "inner" : !transform.any_op
    transform.loop.unroll %two#0 {factor = 2} : !transform.any_op
    transform.annotate %two#1 "outer" : !transform.any_op
    transform.yield
  }
}

//--- peel.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %m tile_sizes [7] : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">)
    %main, %rest = transform.loop.peel %l : (!transform.op<"scf.for">) -> (!transform.op<"scf.for">, !transform.any_op)
    transform.annotate %main "main" : !transform.op<"scf.for">
    transform.annotate %rest "rest" : !transform.any_op
    transform.yield
  }
}

//--- nothing.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %m tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">)
    %main, %rest = transform.loop.peel %l : (!transform.op<"scf.for">) -> (!transform.op<"scf.for">, !transform.any_op)
    transform.yield
  }
}
