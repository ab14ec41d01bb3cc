// Handles follow what replaces their ops, wherever that is.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-4: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

// A loop of one step is replaced by the loop in it.
func.func @one_step(%a: tensor<3x7xf32>, %x: f32) -> tensor<3x7xf32> {
  %f = linalg.fill ins(%x : f32) outs(%a : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %f : tensor<3x7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %fill tile_sizes [16, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
    } : !transform.any_op
    transform.debug.emit_remark_at %loops#0, "the same loop" : !transform.any_op
    transform.debug.emit_remark_at %loops#1, "as this one" : !transform.any_op
    transform.yield
  }
}

// -----

// A conversion folds to constants of another dialect.
func.func @converted(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %m = arith.maxsi %c1, %c2 : i32
  return %m : i32
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %max = transform.structured.match ops{["arith.maxsi"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %func {
      transform.apply_conversion_patterns.dialect_to_llvm "arith"
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {illegal_dialects = ["arith"], legal_dialects = ["llvm"], partial_conversion, preserve_handles} : !transform.any_op
    transform.debug.emit_remark_at %max, "a constant" : !transform.any_op
    transform.yield
  }
}

// -----

// A copy of a copy is the first one.
func.func @copies(%a: tensor<8xf32>, %b: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %f = linalg.fill ins(%x : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %e = linalg.exp ins(%f : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %c = linalg.copy ins(%e : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  %d = linalg.copy ins(%c : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %copies = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.debug.emit_remark_at %copies, "what is left" : !transform.any_op
    transform.yield
  }
}

// -----

// A parallel loop that loses a dimension gets a copy of its body.
func.func @copied_body(%a: tensor<?x12xf32>, %b: tensor<12x6xf32>, %c: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x12xf32>, tensor<12x6xf32>) outs(%c : tensor<?x6xf32>) -> tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [1, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %generic = transform.structured.generalize %tile : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
