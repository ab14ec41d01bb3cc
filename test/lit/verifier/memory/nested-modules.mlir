// Where function boundaries are bufferized, the functions of a module in the module stay as they
// are.
// RUN: split-file %s %t
// RUN: not formwork check %t/builtin.mlir --transform=%t/map.mlir 2>&1 | FileCheck %s
// RUN: not mlir-opt %t/builtin.mlir --transform-preload-library=transform-library-paths=%t/map.mlir --transform-interpreter -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: formwork apply %t/builtin.mlir --transform=%t/last.mlir --validate -o %t/out.mlir
// RUN: formwork apply %t/gpu.mlir --transform=%t/last.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/builtin.mlir --transform=%t/analysis.mlir 2>&1 | FileCheck %s --check-prefix=ANALYSIS
// RUN: formwork apply %t/builtin.mlir --transform=%t/analysis.mlir --validate -o %t/out.mlir

// CHECK: [fw-not-bufferized]
// FAILS: only bufferized scf.forall can be mapped
// ANALYSIS: : proved: 0 errors

//--- builtin.mlir
func.func @g(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
module @inner {
  func.func @f(%a: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
    %0 = linalg.fill ins(%v : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

//--- gpu.mlir
func.func @g(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
gpu.module @inner {
  func.func @f(%a: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
    %0 = linalg.fill ins(%v : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

//--- map.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %fill tile_sizes [4] (mapping = [#gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %b = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.match ops{["scf.forall"]} in %b : (!transform.any_op) -> !transform.any_op
    %f = transform.get_parent_op %loops {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %f generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- last.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %fill tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %b = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %b : (!transform.any_op) -> !transform.any_op
    transform.annotate %f "test.mark" : !transform.any_op
    transform.yield
  }
}

//--- analysis.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %b = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true, test_analysis_only = true} : (!transform.any_op) -> !transform.any_op
    %marked = transform.structured.match attributes{__inplace_operands_attr__ = ["true"]} in %b : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %b : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %fill tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
