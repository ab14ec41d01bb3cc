// Values of ops of which it is doubted that they are there, operands that
// another op took over, and what iterations yield beside what they consume.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-5: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

func.func @vectorized(%a: tensor<4x4xf32>, %b: tensor<4x6xf32>, %x: f32) -> tensor<4x6xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %p : tensor<4x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %vectorized = transform.structured.vectorize_children_and_apply_patterns %func : (!transform.any_op) -> !transform.any_op
    %module = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %value = transform.get_operand %fill[0] : (!transform.any_op) -> !transform.any_value
    transform.yield
  }
}

// -----

func.func @taken_over(%a: tensor<4x4xf32>, %b: tensor<4x6xf32>, %c: tensor<4x6xf32>, %x: f32) -> tensor<4x6xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %q = linalg.add ins(%p, %c : tensor<4x6xf32>, tensor<4x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %q : tensor<4x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %value = transform.get_operand %add[0] : (!transform.any_op) -> !transform.any_value
    %maker = transform.get_defining_op %value : (!transform.any_value) -> !transform.any_op
    transform.debug.emit_remark_at %maker, "a loop now" : !transform.any_op
    transform.yield
  }
}

// -----

// The second iteration does not consume what the first one yielded.
func.func @one(%x: f32) -> f32 {
  return %x : f32
}
func.func @other(%x: f32) -> f32 {
  return %x : f32
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %funcs = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %cleaned = transform.foreach %funcs : !transform.any_op -> !transform.any_op {
    ^bb0(%func: !transform.any_op):
      %done = transform.apply_registered_pass "cse" to %func : (!transform.any_op) -> !transform.any_op
      transform.yield %done : !transform.any_op
    }
    transform.debug.emit_remark_at %cleaned, "valid" : !transform.any_op
    transform.yield
  }
}

// -----

func.func @produced(%a: tensor<4x4xf32>, %b: tensor<4x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %q = linalg.add ins(%p, %c : tensor<4x6xf32>, tensor<4x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %q : tensor<4x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %matmul tile_sizes [2, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %maker = transform.get_producer_of_operand %add[0] : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %maker, "a loop now" : !transform.any_op
    transform.yield
  }
}

// -----

// A forall that loses a dimension gets a copy of its body: the tile is gone.
func.func @copied_body(%a: tensor<8x6xf32>, %b: tensor<6x12xf32>, %c: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x12xf32>) outs(%c : tensor<8x12xf32>) -> tensor<8x12xf32>
  return %p : tensor<8x12xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %matmul tile_sizes [8, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.debug.emit_remark_at %tile, "there, or not" : !transform.any_op
    transform.yield
  }
}
