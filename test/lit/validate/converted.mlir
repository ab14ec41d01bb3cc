// The facts about loops and structured ops that a
// step rewrites, or takes the constant bounds of.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-5: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

func.func @bounds(%a: tensor<6x4xf32>, %b: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %r = linalg.exp ins(%a : tensor<6x4xf32>) outs(%b : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %exp tile_sizes [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %func {
      transform.apply_conversion_patterns.dialect_to_llvm "arith"
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {illegal_dialects = ["arith"], legal_dialects = ["llvm"], partial_conversion, preserve_handles} : !transform.any_op
    transform.debug.emit_remark_at %loop, "from a cast to a cast" : !transform.any_op
    transform.yield
  }
}

// -----

func.func @same_kind(%a: tensor<12x8xf32>, %b: tensor<8x12xf32>, %c: tensor<12x12xf32>) -> tensor<12x12xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<12x8xf32>, tensor<8x12xf32>) outs(%c : tensor<12x12xf32>) -> tensor<12x12xf32>
  return %p : tensor<12x12xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %buffer, %ops = transform.structured.bufferize_to_allocation %matmul : !transform.any_op
    %again = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// An op that an alternative yields and another handle consumed may be there.
func.func @yielded(%x: f32) -> f32 {
  return %x : f32
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %r = transform.alternatives %func : !transform.any_op -> !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      %same = transform.structured.match ops{["func.func"]} in %scope : (!transform.any_op) -> !transform.any_op
      %cleaned = transform.apply_registered_pass "cse" to %same : (!transform.any_op) -> !transform.any_op
      transform.yield %scope : !transform.any_op
    }
    transform.yield
  }
}

// -----

// The result of vectorization is folded into what reads it.
func.func @folded(%x: f32) -> tensor<16x6xf32> {
  %e = tensor.empty() : tensor<16x6xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<16x6xf32>) -> tensor<16x6xf32>
  %g = linalg.exp ins(%f : tensor<16x6xf32>) outs(%f : tensor<16x6xf32>) -> tensor<16x6xf32>
  return %g : tensor<16x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %vectorized = transform.structured.vectorize_children_and_apply_patterns %func : (!transform.any_op) -> !transform.any_op
    %cleaned = transform.apply_registered_pass "canonicalize" to %vectorized : (!transform.any_op) -> !transform.any_op
    %empty = transform.structured.match ops{["tensor.empty"]} in %cleaned : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A conversion folds what is not legal, whatever its rules are for.
func.func @folded_by_conversion() -> i32 {
  %c0 = arith.constant 0 : i32
  %r = arith.minui %c0, %c0 : i32
  return %r : i32
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %func {
      transform.apply_conversion_patterns.vector.vector_to_llvm
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {legal_dialects = ["llvm", "func", "builtin"], partial_conversion, preserve_handles} : !transform.any_op
    transform.yield
  }
}
