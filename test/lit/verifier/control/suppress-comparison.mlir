// A sequence suppresses that parameters do not compare, that an op has another name, or that a handle is not empty.
// RUN: split-file %s %t
// RUN: formwork check --static %t/payload.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir -o /dev/null
// RUN: not formwork check --static %t/payload.mlir --transform=%t/types.mlir 2>&1 | FileCheck %s --check-prefix=TYPES

// CHECK: : proved: 0 errors
// TYPES: hold integers of different types [fw-parameter-mismatch]

//--- payload.mlir
module {
  func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.sequence %f : !transform.any_op failures(suppress) {
    ^bb0(%arg: !transform.any_op):
      %none = transform.structured.match ops{["vector.contract"]} in %arg : (!transform.any_op) -> !transform.any_op
      %number = transform.num_associations %none : (!transform.any_op) -> !transform.param<i64>
      %one = transform.param.constant 1 : i64 -> !transform.param<i64>
      transform.match.param.cmpi ge %number, %one : !transform.param<i64>
      transform.match.operation_name %arg ["scf.for"] : !transform.any_op
      transform.match.operation_empty %arg : !transform.any_op
      transform.annotate %arg "seen" : !transform.any_op
    }
    transform.yield
  }
}

//--- types.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%arg: !transform.any_op):
      %one = transform.param.constant 1 : i64 -> !transform.any_param
      %other = transform.param.constant 1 : i32 -> !transform.any_param
      transform.match.param.cmpi eq %one, %other : !transform.any_param
    }
    transform.yield
  }
}
