// What handles hold behind steps that erase, merge, fail silently, or find nothing.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-9: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

// A call that takes a buffer counts as a write to it: both go.
func.func private @use(memref<1xi64>, memref<1xi64>)
func.func @erased(%b: memref<1xi64>) {
  %a = memref.alloc() : memref<1xi64>
  call @use(%a, %b) : (memref<1xi64>, memref<1xi64>) -> ()
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["memref.alloc"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.memref.erase_dead_alloc_and_stores %a : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// MLIR forgets a handle to values that were all erased.
func.func @forgotten(%low: index, %high: index, %step: index) {
  scf.for %i = %low to %high step %step {
    %a = memref.alloc() : memref<1xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["memref.alloc"]} in %root : (!transform.any_op) -> !transform.any_op
    %none = transform.structured.match ops{["memref.alloca"]} in %root : (!transform.any_op) -> !transform.any_op
    %value = transform.get_result %a[all] : (!transform.any_op) -> !transform.any_value
    transform.memref.erase_dead_alloc_and_stores %root : (!transform.any_op) -> ()
    transform.foreach %none : !transform.any_op {
    ^bb0(%never: !transform.any_op):
      %number = transform.num_associations %value : (!transform.any_value) -> !transform.param<i64>
    }
    transform.yield
  }
}

// -----

// Two values of one function are two.
func.func @merged(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp ins(%b : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %read = transform.get_operand %exp[0] : (!transform.any_op) -> !transform.any_value
    %merged = transform.merge_handles deduplicate %read, %read : !transform.any_value
    transform.yield
  }
}

// -----

// No loop is made for the fourth size.
func.func @excess(%a: tensor<4x4x4xf32>, %b: tensor<4x4x4xf32>) -> tensor<4x4x4xf32> {
  %0 = linalg.softmax dimension(0) ins(%a : tensor<4x4x4xf32>) outs(%b : tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  return %0 : tensor<4x4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %softmax tile_sizes [16, 1, 1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The pass makes another op of the function, and fails then.
func.func @converted() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @part(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %llvm = transform.apply_registered_pass "convert-to-llvm" to %func : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @part failures(suppress) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// To assert a form of nothing says nothing.
func.func @asserted(%a: tensor<8x8xf32>, %b: tensor<4x4x2x2xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %pack = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %b : tensor<8x8xf32> -> tensor<4x4x2x2xf32>
  %unpack = linalg.unpack %pack inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %c : tensor<4x4x2x2xf32> -> tensor<8x8xf32>
  return %unpack : tensor<8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %pack = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.op<"linalg.pack">
    %pad, %expand, %transpose = transform.structured.lower_pack %pack : (!transform.op<"linalg.pack">) -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    %none = transform.structured.match attributes {t} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.assert %none is @loops.canonical : !transform.any_op
    transform.yield
  }
}

// -----

// A negative size is no tile: how often the loop runs is not known.
func.func @negative(%a: memref<1xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%a : memref<1xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %size = transform.param.constant -2147483648 : i64 -> !transform.param<i64>
    %tile, %loop = transform.structured.tile_using_for %fill tile_sizes [%size] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Padding to the sizes that are there pads nothing.
func.func @prescribed(%a: tensor<1x4xf32>, %b: tensor<4x1xf32>, %c: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1x4xf32>, tensor<4x1xf32>) outs(%c : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loops:3 = transform.structured.tile_using_for %matmul tile_sizes [3, 3, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %padded, %pad, %copy = transform.structured.pad %tile use_prescribed_tensor_shapes {nofold_flags = [1, 1, 0], padding_dimensions = [0, 1, 2], padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A pad of a value that is not constant is a fill, and a copy into it.
func.func @filled(%a: tensor<1x?xf32>, %b: tensor<?x?xf32>, %x: f32, %i: index, %j: index) -> tensor<?x?xf32> {
  %padded = tensor.pad %a low[%i, %j] high[%j, %i] {
  ^bb0(%k: index, %l: index):
    tensor.yield %x : f32
  } : tensor<1x?xf32> to tensor<?x?xf32>
  %0 = linalg.abs ins(%b : tensor<?x?xf32>) outs(%padded : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %vectors = transform.structured.vectorize_children_and_apply_patterns %func {vectorize_padding} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
