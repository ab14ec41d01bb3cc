// Folding trusts that indices are within bounds, and that a view drops the dimensions that it seems
// to drop. Where constants say otherwise, MLIR leaves what is not valid, or crashes.
// RUN: split-file %s %t
// RUN: formwork check --static %t/load.mlir --transform=%t/addresses.mlir 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: formwork check --static %t/dim.mlir --transform=%t/sizes.mlir 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: formwork check --static %t/offset.mlir --transform=%t/canonicalize.mlir 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: formwork check --static %t/view.mlir --transform=%t/canonicalize.mlir 2>&1 | FileCheck %s --check-prefix=VIEW
// RUN: sed 's/constant 13/constant 3/' %t/load.mlir > %t/within.mlir
// RUN: formwork check --static %t/within.mlir --transform=%t/addresses.mlir 2>&1 | FileCheck %s --check-prefix=PROVED

// INDEX: its contract was not tested: 'index:out-of-bounds' (an op that reads or writes at a constant index, or asks for a dimension, that the shape does not have) [fw-unproved]
// VIEW: its contract was not tested: 'view:unclear' (an op that is a view that drops dimensions of one element, and MLIR mistakes which ones) [fw-unproved]
// PROVED: : proved: 0 errors

//--- load.mlir
func.func @f() -> i32 {
  %c = arith.constant 13 : index
  %a = memref.alloca() : memref<4xi32>
  %x = memref.load %a[%c] : memref<4xi32>
  return %x : i32
}

//--- dim.mlir
func.func @f(%a: tensor<3x?xf32>) -> index {
  %c3 = arith.constant 3 : index
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<3x?xf32> into tensor<?xf32>
  %n = tensor.dim %flat, %c3 : tensor<?xf32>
  return %n : index
}

//--- offset.mlir
func.func @f(%a: memref<?xf32>, %n: index) -> memref<?xf32, strided<[1], offset: ?>> {
  %c = arith.constant -1 : index
  %v = memref.subview %a[%c] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %v : memref<?xf32, strided<[1], offset: ?>>
}

//--- view.mlir
func.func @f(%a: memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>, %n: index) -> index {
  %c1 = arith.constant 1 : index
  %v = memref.subview %a[0, 0, 0] [1, %n, 1] [1, 1, 1] : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>> to memref<1x?xf32, strided<[?, ?], offset: ?>>
  %d = memref.dim %v, %c1 : memref<1x?xf32, strided<[?, ?], offset: ?>>
  return %d : index
}

//--- addresses.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.extract_address_computations
    } : !transform.any_op
    transform.yield
  }
}

//--- sizes.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
    } : !transform.any_op
    transform.yield
  }
}

//--- canonicalize.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
