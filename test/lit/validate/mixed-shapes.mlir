// Sizes that one operand's type has, and another's leaves open.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-3: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

// A pad that must not fold makes such an operand static: it is no copy.
func.func @padded(%a: tensor<2x2x1xf32>, %x: f32, %o: tensor<2x2x6xf32>) -> tensor<2x2x6xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<2x2x1xf32>
  %e = tensor.empty(%n) : tensor<?x1x6xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?x1x6xf32>) -> tensor<?x1x6xf32>
  %m = linalg.batch_matmul ins(%a, %f : tensor<2x2x1xf32>, tensor<?x1x6xf32>) outs(%o : tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
  return %m : tensor<2x2x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.batch_matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %padded, %pad, %copy = transform.structured.pad %matmul {nofold_flags = [1, 1, 0], padding_dimensions = [0, 1], padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The window of a convolution stays as it is when the rows are tiled unevenly.
func.func @window(%a: tensor<4x8xf64>, %k: tensor<1x1xf64>, %o: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %c = linalg.conv_2d ins(%a, %k : tensor<4x8xf64>, tensor<1x1xf64>) outs(%o : tensor<4x8xf64>) -> tensor<4x8xf64>
  return %c : tensor<4x8xf64>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["linalg.conv_2d"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %conv tile_sizes [3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Clean-up finds the size of the kernel; what that says of the columns of the input was open.
func.func @kernel(%a: memref<6x?xi32>) {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %k = memref.alloca(%c2) : memref<3x?xi32>
  linalg.fill ins(%zero : i32) outs(%k : memref<3x?xi32>)
  %o = memref.alloca() : memref<4x5xi32>
  linalg.fill ins(%zero : i32) outs(%o : memref<4x5xi32>)
  linalg.conv_2d ins(%a, %k : memref<6x?xi32>, memref<3x?xi32>) outs(%o : memref<4x5xi32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["linalg.conv_2d"]} in %root : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.num_associations %conv : (!transform.any_op) -> !transform.param<i64>
    transform.yield
  }
}
