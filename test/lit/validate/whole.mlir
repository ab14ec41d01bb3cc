// How many ops of each kind there are, and which attributes, is known of all of
// the payload, whether a step looks for it or not.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-10: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

// On buffers, a pad has another body.
func.func @padded(%a: tensor<6xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<6xf32> to tensor<8xf32>
  return %p : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %done = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// So has one that a step made.
func.func @made(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %m : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %padded, %pad, %copy = transform.structured.pad %matmul {nofold_flags = [1, 1, 0], padding_dimensions = [0, 1], padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %done = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Tiles ask dynamic buffers for their sizes.
func.func @sizes(%a: memref<?x?xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%a : memref<?x?xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %fill tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Unrolling leaves a loop for the rest.
func.func @rest(%m: memref<7xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    memref.store %x, %m[%i] : memref<7xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {factor = 3 : i64} : !transform.any_op
    transform.yield
  }
}

// -----

// Elements read beyond a tensor that is too small are poison.
func.func @poison(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %e = linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %e : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %exp : !transform.any_op
    transform.yield
  }
}

// -----

// A marked op may be the root.
func.func @marked(%a: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %f = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %f : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %done = transform.apply_registered_pass "cse" to %root : (!transform.any_op) -> !transform.any_op
    %fills = transform.structured.match ops{["linalg.fill"]} in %done : (!transform.any_op) -> !transform.any_op
    transform.foreach %fills, %done with_zip_shortest : !transform.any_op, !transform.any_op {
    ^bb0(%fill: !transform.any_op, %top: !transform.any_op):
      transform.annotate %top "formwork.seen" : !transform.any_op
    }
    transform.yield
  }
}

// -----

// A pass that peels loops copies their bodies.
func.func @peeled(%a: tensor<7xf32>, %b: tensor<7xf32>) -> tensor<7xf32> {
  %e = linalg.exp ins(%a : tensor<7xf32>) outs(%b : tensor<7xf32>) -> tensor<7xf32>
  return %e : tensor<7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %exp tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %done = transform.apply_registered_pass "scf-for-loop-peeling" to %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Which op is marked depends on what it is, so that both may be or none.
func.func @matched(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = linalg.add ins(%m, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %s : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_reduction(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%arg: !transform.any_op):
      transform.match.structured.dim %arg[-1] {reduction} : !transform.any_op
    }
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "formwork.marked" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.sequence %root : !transform.any_op failures(suppress) {
    ^bb0(%top: !transform.any_op):
      transform.annotate %top "formwork.seen" : !transform.any_op
    }
    %new = transform.foreach_match in %root @is_reduction -> @mark : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A conversion folds what no list names, and follows it to any kind of op.
func.func @folded(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<4x4xf32>) -> tensor<8x8xf32> {
  %i = tensor.insert_slice %c into %a[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
  %t = linalg.transpose ins(%i : tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) permutation = [0, 1]
  return %t : tensor<8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %transpose = transform.structured.match ops{["linalg.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %func {
      transform.apply_conversion_patterns.dialect_to_llvm "arith"
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {illegal_dialects = ["arith"], legal_dialects = ["llvm"], partial_conversion, preserve_handles} : !transform.any_op
    transform.debug.emit_remark_at %transpose, "a slice" : !transform.any_op
    transform.yield
  }
}

// -----

// A launch of its own gets a copy of the loop, without what ends its body.
func.func @launched(%m: memref<7xf64>, %x: f64) {
  scf.forall (%i) in (7) {
    %c7 = arith.constant 7 : index
    %r = arith.remui %i, %c7 : index
    memref.store %x, %m[%r] : memref<7xf64>
  } {mapping = [#gpu.block<x>]}
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %func generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
