// A step below an op that is not known may work below any op.
//
// RUN: split-file %s %t
// RUN: formwork apply --validate %t/payload.mlir --transform=%t/parents.mlir 2>&1 | FileCheck %s
// RUN: formwork apply --validate %t/payload.mlir --transform=%t/parts.mlir 2>&1 | FileCheck %s
// CHECK-NOT: fw-false-fact
// CHECK: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

//--- payload.mlir
func.func @f(%a: tensor<6x16xf32>, %b: tensor<16x8xf32>, %c: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %d = linalg.fill ins(%zero : f32) outs(%c : tensor<6x8xf32>) -> tensor<6x8xf32>
  %e = linalg.matmul ins(%a, %b : tensor<6x16xf32>, tensor<16x8xf32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %e : tensor<6x8xf32>
}

// The function that is vectorized is known only as the parent of something.
//--- parents.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_filled(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_op) {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    %fill = transform.get_producer_of_operand %op[2] : (!transform.any_op) -> !transform.any_op
    transform.match.operation_name %fill ["linalg.fill"] : !transform.any_op
    transform.yield %op, %fill : !transform.any_op, !transform.any_op
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    transform.annotate %m "a.seen" : !transform.any_op
    %found:2 = transform.collect_matching @is_filled in %m : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %parent = transform.get_parent_op %found#0 {isolated_from_above} : (!transform.any_op) -> !transform.any_op
    %vectors = transform.structured.vectorize_children_and_apply_patterns %parent : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// The body of an op of which only a matcher tells is there once more.
//--- parts.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_filled(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_op) {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    %fill = transform.get_producer_of_operand %op[2] : (!transform.any_op) -> !transform.any_op
    transform.match.operation_name %fill ["linalg.fill"] : !transform.any_op
    transform.yield %op, %fill : !transform.any_op, !transform.any_op
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    transform.annotate %m "a.seen" : !transform.any_op
    %found:2 = transform.collect_matching @is_filled in %m : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %parts = transform.structured.split %found#0 after 2 {dimension = 0} : !transform.any_op
    transform.yield
  }
}
