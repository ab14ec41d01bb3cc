// Numbers and modes that change what a step does, or at which upstream crashes.
// RUN: split-file %s %t
// RUN: not formwork check %inputs/matmul.mlir --transform=%t/negative.mlir 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: formwork check %inputs/matmul.mlir --transform=%t/analysis.mlir 2>&1 | FileCheck %s --check-prefix=ANALYSIS
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/analysis.mlir --validate -o %t/out.mlir

// NEGATIVE: error: requires the number of an operand of the op but has -1 [fw-no-producer]
// ANALYSIS: : proved: 0 errors

//--- negative.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %a = transform.get_producer_of_operand %matmul[-1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- analysis.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %new = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true, test_analysis_only = true} : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %new : (!transform.any_op) -> !transform.any_op
    transform.print %f : !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %last = transform.bufferization.one_shot_bufferize %new {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
