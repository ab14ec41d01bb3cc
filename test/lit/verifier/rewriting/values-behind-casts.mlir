// Clean-up that finds more static types puts casts around an op. A handle to the
// op follows the op; one to its results holds those of the cast.

// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/values.mlir 2>&1 | FileCheck %s
// RUN: not formwork apply %t/payload.mlir --transform=%t/values.mlir -o - 2>&1 | FileCheck %s --check-prefix=FAILS

// Op handles are proved, as are values of what is static already.
// RUN: sed '/get_defining_op/d; s/tile_using_for %behind/tile_using_for %matmul/' %t/values.mlir > %t/ops.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/ops.mlir --strict
// RUN: formwork apply %t/payload.mlir --transform=%t/ops.mlir --validate -o %t/out.mlir
// RUN: sed 's/tile_using_for %behind/tile_using_for %matmul/' %t/values.mlir > %t/both.mlir
// RUN: formwork check --static --strict %t/payload.mlir --transform=%t/both.mlir
// RUN: formwork apply %t/payload.mlir --transform=%t/both.mlir --validate -o %t/out.mlir
// RUN: sed 's/"open"/"closed"/' %t/values.mlir > %t/closed.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/closed.mlir --strict
// RUN: formwork apply %t/payload.mlir --transform=%t/closed.mlir --validate -o %t/out.mlir

// A reader that is a structured op, too, absorbs the cast. Then MLIR erases the
// cast, forgets the handle, and reads memory that is not its own.
// RUN: formwork check --static %t/read.mlir --transform=%t/both.mlir 2>&1 | FileCheck %s --check-prefix=READ

// CHECK: cannot prove that 'transform.structured.tile_using_for'
// READ: cannot prove that 'transform.get_defining_op' succeeds: uses %value, whose values may all have been erased
// READ: unproved: 0 errors, 1 warning; 6 steps, 1 unproved
// FAILS: only ops implementing TilingInterface are supported

//--- payload.mlir
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<8x4xf32>,
             %d: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<8x4xf32>) {
  %cast = tensor.cast %a : tensor<8x16xf32> to tensor<?x?xf32>
  %0 = linalg.matmul {which = "open"} ins(%cast, %b : tensor<?x?xf32>, tensor<16x4xf32>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.matmul {which = "closed"} ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>)
      outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<8x4xf32>
}

//--- read.mlir
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %d: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %cast = tensor.cast %a : tensor<8x16xf32> to tensor<?x?xf32>
  %0 = linalg.matmul {which = "open"} ins(%cast, %b : tensor<?x?xf32>, tensor<16x4xf32>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.exp ins(%0 : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

//--- values.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} attributes{which = "open"} in %root : (!transform.any_op) -> !transform.any_op
    %value = transform.get_result %matmul[0] : (!transform.any_op) -> !transform.any_value
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %behind = transform.get_defining_op %value : (!transform.any_value) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %behind tile_sizes [2, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
