// What producers, places, kinds and attributes are after rewriting.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-28: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

// A handle that is given twice has the same op twice in each iteration.
func.func @zipped(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %p = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %same = transform.apply_registered_pass "loop-invariant-subset-hoisting" to %root : (!transform.any_op) -> !transform.any_op
    %adds = transform.structured.match ops{["arith.addf"]} in %same : (!transform.any_op) -> !transform.any_op
    transform.foreach %adds, %adds : !transform.any_op, !transform.any_op {
    ^bb0(%one: !transform.any_op, %other: !transform.any_op):
      %cast = transform.cast %one : !transform.any_op to !transform.any_op
      transform.annotate %other "seen" : !transform.any_op
    }
    transform.yield
  }
}

// -----

// Neither a producer nor an operand is what a step replaced.
func.func @replaced(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %x: f32) -> tensor<8x8xf32> {
  %f = linalg.fill ins(%x : f32) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %fill : !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %producer = transform.get_producer_of_operand %matmul[2] : (!transform.any_op) -> !transform.any_op
    %operand = transform.get_operand %matmul[2] : (!transform.any_op) -> !transform.any_value
    transform.yield
  }
}

// -----

// The tiles of two targets are inside of the loops that are made around them.
func.func @two_targets(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %p = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  %q = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p, %q : tensor<8x8xf32>, tensor<8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmuls = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiles, %loops:2 = transform.structured.fuse %matmuls tile_sizes [2, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %parents = transform.get_parent_op %tiles : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// One that reads another finds the loops of that in its place.
func.func @in_a_row(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %x: f32) -> tensor<8x8xf32> {
  %f = linalg.fill ins(%x : f32) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %q = linalg.matmul ins(%p, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %q : tensor<8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmuls = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiles, %loops:2 = transform.structured.fuse %matmuls tile_sizes [2, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %parents = transform.get_parent_op %tiles : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// What is copied into the loops has the attributes of what it is copied from.
func.func @copied(%x: f32, %init: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() {seen} : tensor<8x8xf32>
  %f = linalg.fill ins(%x : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%f : tensor<8x8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.mulf %in, %in : f32
    %z = arith.addf %out, %y : f32
    linalg.yield %z : f32
  } -> tensor<8xf32>
  return %s : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %sum = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.fuse %sum tile_sizes [0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// What is written below a function that is not known, may be below any.
func.func @some_function(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %p = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %parts = transform.structured.split %matmul after 2 {dimension = 0} : !transform.any_op
    %tiles, %loops = transform.structured.fuse %parts tile_sizes [16, 8] {use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %first, %second = transform.split_handle %loops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %func = transform.get_parent_op %first {deduplicate, op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    %same = transform.structured.vectorize_children_and_apply_patterns %func : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Loops that store to a buffer that nothing reads go together with it.
func.func @unread(%x: i32) {
  %m = memref.alloc() : memref<3x3xi32>
  linalg.fill ins(%x : i32) outs(%m : memref<3x3xi32>)
  memref.dealloc %m : memref<3x3xi32>
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.convert_to_loops %fill : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}

// -----

// A branch that is never taken takes along what only it reads.
func.func @decided(%c: i1, %x: f32, %a: tensor<8x2xf32>, %b: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  %f = linalg.fill ins(%x : f32) outs(%a : tensor<8x2xf32>) -> tensor<8x2xf32>
  %s = linalg.reduce ins(%f : tensor<8x2xf32>) outs(%b : tensor<8xf32>) dimensions = [1]
    (%in: f32, %init: f32) {
      %sum = arith.addf %in, %init : f32
      linalg.yield %sum : f32
    }
  %same = arith.cmpi eq, %c, %c : i1
  %r = scf.if %same -> (tensor<8xf32>) {
    scf.yield %b : tensor<8xf32>
  } else {
    %t = tensor.insert %x into %s[%i] : tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %same = transform.apply_registered_pass "canonicalize" to %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A conversion folds what is not legal: structured ops take the buffer that
// was cast.
func.func @folded(%x: f64, %m: memref<1x?xf64>, %a: tensor<8x4xi32>) -> tensor<8x4xi32> {
  %cast = memref.cast %m : memref<1x?xf64> to memref<1x6xf64>
  linalg.fill ins(%x : f64) outs(%cast : memref<1x6xf64>)
  %t = linalg.transpose ins(%a : tensor<8x4xi32>) outs(%a : tensor<8x4xi32>) permutation = [0, 1]
  %p = tensor.pad %t low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %c = arith.constant 0 : i32
    tensor.yield %c : i32
  } : tensor<8x4xi32> to tensor<8x4xi32>
  return %p : tensor<8x4xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %func {
      transform.apply_conversion_patterns.dialect_to_llvm "math"
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {legal_dialects = ["llvm"], partial_conversion, preserve_handles} : !transform.any_op
    transform.yield
  }
}

// -----

// MLIR keeps the indexing maps of a convolution among its attributes.
func.func @specialized(%a: tensor<1x6x6x2xf32>, %k: tensor<3x3x2x4xf32>, %b: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %c = linalg.conv_2d_nhwc_hwcf ins(%a, %k : tensor<1x6x6x2xf32>, tensor<3x3x2x4xf32>) outs(%b : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %c : tensor<1x4x4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %conv : (!transform.any_op) -> !transform.any_op
    %named = transform.structured.specialize %generic : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Fusing into a loop of which the number is not known copies a producer there.
func.func @some_loop(%x: f64, %a: tensor<6x3xf64>, %b: tensor<6xf64>) -> tensor<6xf64> {
  %r = scf.forall (%i) in (6) shared_outs(%o = %b) -> (tensor<6xf64>) {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<6xf64> to tensor<1xf64>
    %e = tensor.empty() : tensor<3x6xf64>
    %f = linalg.fill ins(%x : f64) outs(%e : tensor<3x6xf64>) -> tensor<3x6xf64>
    %d = tensor.empty() : tensor<6x6xf64>
    %g = linalg.fill ins(%x : f64) outs(%d : tensor<6x6xf64>) -> tensor<6x6xf64>
    %p = linalg.matmul ins(%a, %f : tensor<6x3xf64>, tensor<3x6xf64>) outs(%g : tensor<6x6xf64>) -> tensor<6x6xf64>
    %t = tensor.insert %x into %s[%i] : tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i] [1] [1] : tensor<1xf64> into tensor<6xf64>
    }
  }
  return %r : tensor<6xf64>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %func {
      transform.apply_conversion_patterns.dialect_to_llvm "math"
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {legal_dialects = ["llvm"], partial_conversion} : !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %tile_loop = transform.structured.tile_using_for %matmul tile_sizes [5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    %fused, %new = transform.structured.fuse_into_containing_op %fill into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A pass that has nothing to rewrite still folds to constants.
func.func @constant(%i: i32, %a: tensor<3xf64>, %n: index) -> (i1, tensor<2xf64>) {
  %whole = tensor.extract_slice %a[0] [3] [1] : tensor<3xf64> to tensor<3xf64>
  %same = tensor.insert_slice %whole into %a[0] [3] [1] : tensor<3xf64> into tensor<3xf64>
  %part = tensor.extract_slice %same[%n] [2] [1] : tensor<3xf64> to tensor<2xf64>
  %c = arith.cmpi eq, %i, %i : i32
  return %c, %part : i1, tensor<2xf64>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %same = transform.apply_registered_pass "expand-strided-metadata" to %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A fill that is read in another shape folds into one of that shape.
func.func @flat(%x: f32, %a: tensor<7x4xf32>, %b: tensor<4x7xf32>) -> tensor<7x7xf32> {
  %e = tensor.empty() : tensor<7x7xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<7x7xf32>) -> tensor<7x7xf32>
  %p = linalg.matmul ins(%a, %b : tensor<7x4xf32>, tensor<4x7xf32>) outs(%f : tensor<7x7xf32>) -> tensor<7x7xf32>
  return %p : tensor<7x7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %flat = transform.structured.flatten_elementwise %fill : (!transform.any_op) -> !transform.any_op
    %again = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.annotate %again "seen" : !transform.any_op
    transform.yield
  }
}

// -----

// So does one that is packed, by a step or from the beginning.
func.func @packed(%x: f32, %a: tensor<7x4xf32>, %b: tensor<4x7xf32>) -> (tensor<7x7xf32>, tensor<4x4x2x2xf32>) {
  %e = tensor.empty() : tensor<7x7xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<7x7xf32>) -> tensor<7x7xf32>
  %p = linalg.matmul ins(%a, %b : tensor<7x4xf32>, tensor<4x7xf32>) outs(%f : tensor<7x7xf32>) -> tensor<7x7xf32>
  %h = tensor.empty() : tensor<8x8xf32>
  %g = linalg.fill ins(%x : f32) outs(%h : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = tensor.empty() : tensor<4x4x2x2xf32>
  %k = linalg.pack %g inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<8x8xf32> -> tensor<4x4x2x2xf32>
  return %p, %k : tensor<7x7xf32>, tensor<4x4x2x2xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %pack = transform.structured.pack %matmul packed_sizes = [2, 2, 2] : (!transform.any_op) -> (!transform.op<"linalg.generic">)
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.annotate %fills "seen" : !transform.any_op
    transform.yield
  }
}

// -----

// An op whose destination is allocated writes to no slice any more.
func.func @allocated(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %matmul tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %buffer, %ops = transform.structured.bufferize_to_allocation %tile {bufferize_destination_only} : !transform.any_op
    %again = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %written = transform.get_producer_of_operand %again[2] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A part that may not be there may have no producer.
func.func @some(%a: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %x = arith.constant 0.0 : f32
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %p : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.fuse %matmul tile_sizes [2] {apply_cleanup, use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiles, %loops = transform.structured.tile_using_for %fills tile_sizes [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %values = transform.get_producer_of_operand %tiles[0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Merged without duplicates, what may be one op may be fewer.
func.func @merged(%x: f64, %n: index) {
  %a = memref.alloca() : memref<4xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<4xf64>)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    %b = memref.alloc() : memref<1xf64>
    linalg.fill ins(%x : f64) outs(%b : memref<1xf64>)
    memref.dealloc %b : memref<1xf64>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %around = transform.get_parent_op %fills {deduplicate, isolated_from_above} : (!transform.any_op) -> !transform.any_op
    %parents = transform.get_parent_op %fills : (!transform.any_op) -> !transform.any_op
    %both = transform.merge_handles deduplicate %around, %parents : !transform.any_op
    transform.yield
  }
}

// -----

// An op of which the place is not known does not go with one that is not read.
func.func @unread_beside(%x: i32, %a: tensor<2x3x3xi32>, %c: tensor<2x3x2xi32>, %y: tensor<?x3xf32>) -> tensor<2x3x2xi32> {
  %zero = arith.constant 0 : index
  %u = tensor.dim %y, %zero : tensor<?x3xf32>
  %f = linalg.fill ins(%x : i32) outs(%a : tensor<2x3x3xi32>) -> tensor<2x3x3xi32>
  %p = linalg.batch_matmul ins(%f, %c : tensor<2x3x3xi32>, tensor<2x3x2xi32>) outs(%c : tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
  return %p : tensor<2x3x2xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.batch_matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill = transform.get_producer_of_operand %matmul[0] : (!transform.any_op) -> !transform.any_op
    transform.annotate %fill "seen" : !transform.any_op
    %value = transform.get_operand %matmul[0] : (!transform.any_op) -> !transform.any_value
    %maker = transform.get_defining_op %value : (!transform.any_value) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.memref.expand_strided_metadata
    } {apply_cse} : !transform.any_op
    transform.annotate %maker "seen" : !transform.any_op
    transform.yield
  }
}

// -----

// Clean-up copies what is in a parallel loop when it drops a dimension of it.
func.func @copied_body(%a: memref<2x2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  scf.parallel (%i, %j) = (%zero, %zero) to (%two, %one) step (%one, %one) {
    linalg.matmul ins(%a, %a : memref<2x2xf32>, memref<2x2xf32>) outs(%a : memref<2x2xf32>)
    scf.reduce
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %generic = transform.structured.generalize %matmul : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A parallel loop of one iteration may write all of what it is given.
func.func @covered(%x: f32, %a: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %e = tensor.empty() : tensor<5x4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %f) -> (tensor<5x4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %o[%i, 0] [5, 4] [1, 1] : tensor<5x4xf32> into tensor<5x4xf32>
    }
  }
  return %r : tensor<5x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}

// -----

// A pass that rewrites greedily erases what is not read any more.
func.func @measured(%a: tensor<4x4xf32>) -> index {
  %zero = arith.constant 0 : index
  %e = tensor.empty() : tensor<4x4xf32>
  %p = linalg.sub ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %size = tensor.dim %p, %zero : tensor<4x4xf32>
  return %size : index
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %same = transform.apply_registered_pass "empty-tensor-to-alloc-tensor" to %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A loop over tiles of what has no results has none.
func.func @no_results(%a: tensor<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) {
  ^bb0(%x: f32):
    linalg.yield
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %generic = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %generic tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Clean-up that makes the types of results static drops attributes.
func.func @bared(%a: tensor<8xf32>) -> tensor<?xf32> {
  %c = tensor.cast %a : tensor<8xf32> to tensor<?xf32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %c) -> (tensor<?xf32>) {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %t = linalg.exp ins(%s : tensor<1xf32>) outs(%s : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  } {seen}
  return %r : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %again = transform.structured.match attributes {seen} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A launch is where the loop was.
func.func @launched(%m: memref<2xf32>, %c: i1, %x: f32) {
  scf.if %c {
    scf.forall (%i) in (2) {
      memref.store %x, %m[%i] : memref<2xf32>
    } {mapping = [#gpu.block<x>]}
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %func generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    %parent = transform.get_parent_op %launch : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Of several blocks, rewriting erases those that nothing leads to.
func.func @blocks(%m: memref<4xf32>, %c: i1, %x: f32) {
  %zero = arith.constant 0 : index
  cf.cond_br %c, ^a, ^b
^a:
  memref.store %x, %m[%zero] : memref<4xf32>
  cf.br ^b
^b:
  return
^dead:
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  cf.br ^dead
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.lower_transfer
    } : !transform.any_op
    %same = transform.apply_registered_pass "convert-vector-to-scf" to %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A call of a function that is known becomes a direct one.
func.func private @called(index) -> index
func.func @indirect(%n: index) -> index {
  %c = func.constant @called : (index) -> index
  %r = func.call_indirect %c(%n) : (index) -> index
  return %r : index
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %calls = transform.structured.match ops{["func.call"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Without locations, the ops are the same.
func.func @stripped(%n: index) -> index {
  %r = arith.addi %n, %n : index
  return %r : index
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %same = transform.apply_registered_pass "strip-debuginfo" to %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// What copies a buffer to itself goes, and so do the loops over parts of it.
func.func @copied_to_itself(%x: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = linalg.copy ins(%f : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %module = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %copy = transform.structured.match ops{["linalg.copy"]} in %module : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %copy tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op
    %loops = transform.structured.match ops{["scf.for"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
