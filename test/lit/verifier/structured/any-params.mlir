// MLIR takes a number of type !transform.any_param for a handle where either may be given.
// RUN: split-file %s %t
// RUN: not formwork check %t/p.mlir --transform=%t/fuse.mlir --static 2>&1 | FileCheck %s
// RUN: not formwork check %t/p.mlir --transform=%t/order.mlir --static 2>&1 | FileCheck %s
// RUN: not formwork check %t/p.mlir --transform=%t/pad.mlir --static 2>&1 | FileCheck %s
// RUN: not formwork check %t/p.mlir --transform=%t/vectorize.mlir --static 2>&1 | FileCheck %s
// CHECK: error: requires a number of type !transform.param but %n is !transform.any_param [fw-any-param]
// RUN: formwork check %t/p.mlir --transform=%t/forall.mlir --strict

// The interpreter agrees.
// RUN: not mlir-opt %t/p.mlir --transform-preload-library=transform-library-paths=%t/fuse.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: not mlir-opt %t/p.mlir --transform-preload-library=transform-library-paths=%t/order.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: not mlir-opt %t/p.mlir --transform-preload-library=transform-library-paths=%t/pad.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: not mlir-opt %t/p.mlir --transform-preload-library=transform-library-paths=%t/vectorize.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: error: unexpected value handle

//--- p.mlir
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

//--- fuse.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %n = transform.param.constant 8 : i64 -> !transform.any_param
    %t, %l = transform.structured.fuse %0 tile_sizes [%n] : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- order.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %n = transform.param.constant 1 : i64 -> !transform.any_param
    %t, %l:2 = transform.structured.fuse %0 tile_sizes [8, 8] interchange [%n, 0] : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- pad.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %n = transform.param.constant 8 : i64 -> !transform.any_param
    %p, %q, %c = transform.structured.pad %0 pad_to_multiple_of [%n] {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0]} : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- vectorize.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %n = transform.param.constant 64 : i64 -> !transform.any_param
    transform.structured.vectorize %0 vector_sizes [%n, 64, 64] : !transform.any_op, !transform.any_param
    transform.yield
  }
}

//--- forall.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %n = transform.param.constant 8 : i64 -> !transform.any_param
    %t, %l = transform.structured.tile_using_forall %0 tile_sizes [%n] : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
