// Clean-up may take these away: loops that only read, ops in a branch or a loop that does not run,
// and ops that only ops that fold need.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-16: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

func.func @only_reads(%m: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %m[%i] : memref<6xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.apply_cse to %root : !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The size of what is computed does not need it.
func.func @folded_use(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> index {
  %c1 = arith.constant 1 : index
  %p = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %d = tensor.dim %p, %c1 : tensor<4x6xf32>
  return %d : index
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.debug.emit_remark_at %matmul, "folded away" : !transform.any_op
    transform.yield
  }
}

// -----

func.func @not_taken(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  %false = arith.constant false
  scf.if %false {
    linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.debug.emit_remark_at %matmul, "not there" : !transform.any_op
    transform.yield
  }
}

// -----

// The loop runs, but nothing reads what it computes with the matmul.
func.func @unused_result(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>, %m: memref<6xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (tensor<4x6xf32>) {
    memref.store %x, %m[%i] : memref<6xf32>
    %p = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
    scf.yield %p : tensor<4x6xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.debug.emit_remark_at %matmul, "unused" : !transform.any_op
    transform.yield
  }
}

// -----

// A producer that nothing computes with, once the unused input is left out.
func.func @unused_input(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>, %d: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p, %d : tensor<4x6xf32>, tensor<4x6xf32>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %r = arith.negf %y : f32
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %q : tensor<4x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.erase_unnecessary_inputs
    } : !transform.any_op
    transform.debug.emit_remark_at %matmul, "unused" : !transform.any_op
    transform.yield
  }
}

// -----

// A copy of a fill is a fill, and the first one is not needed any more.
func.func @copied_fill(%x: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.copy ins(%f : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.debug.emit_remark_at %fill, "the copy, or nothing" : !transform.any_op
    transform.yield
  }
}

// -----

// A loop that is not valid IR, but erased before anybody looks.
func.func @erased(%a: tensor<7xi32>) {
  %c = linalg.copy ins(%a : tensor<7xi32>) outs(%a : tensor<7xi32>) -> tensor<7xi32>
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %copy = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %copy tile_sizes [3, 3] (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_dce to %func : !transform.any_op
    transform.yield
  }
}

// -----

// A loop that passes on what was there before is folded away, and the one
// around it with it.
func.func @passed_on(%v: vector<5xi32>, %x: f32) -> (f32, vector<5xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%w = %v, %y = %x) -> (vector<5xi32>, f32) {
    %s:2 = scf.while (%j = %c0, %u = %w) : (index, vector<5xi32>) -> (index, vector<5xi32>) {
      %go = arith.cmpi slt, %j, %c4 : index
      scf.condition(%go) %j, %u : index, vector<5xi32>
    } do {
    ^bb0(%j: index, %u: vector<5xi32>):
      %k = arith.addi %j, %c1 : index
      scf.yield %k, %w : index, vector<5xi32>
    }
    scf.yield %v, %y : vector<5xi32>, f32
  }
  return %r#1, %r#0 : f32, vector<5xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The buffer of a tensor that nobody needs is not needed.
func.func @unread_buffer(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %x: f32) {
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %buffer, %ops = transform.structured.bufferize_to_allocation %fill {bufferize_destination_only} : !transform.any_op
    transform.yield
  }
}

// -----

// The tensor that an unneeded parallel loop inserts into is not needed.
func.func @unneeded_insert(%m: memref<4xi32>, %x: i32) {
  %e = tensor.empty() : tensor<7xi32>
  %r = scf.forall (%i) in (7) shared_outs(%o = %e) -> (tensor<7xi32>) {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<7xi32> to tensor<1xi32>
    %t = tensor.insert %x into %s[%i] : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i] [1] [1] : tensor<1xi32> into tensor<7xi32>
    }
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_dce to %func : !transform.any_op
    transform.yield
  }
}

// -----

// A loop over one that only puts back what it took does nothing.
func.func @puts_back(%a: tensor<6xf64>) -> tensor<6xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %a) -> (tensor<6xf64>) {
    %t = scf.forall (%j) in (1) shared_outs(%o = %a) -> (tensor<6xf64>) {
      %s = tensor.extract_slice %o[%j] [6] [1] : tensor<6xf64> to tensor<6xf64>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%j] [6] [1] : tensor<6xf64> into tensor<6xf64>
      }
    }
    scf.yield %t : tensor<6xf64>
  }
  return %r : tensor<6xf64>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}

// -----

// Loops around stores that nobody reads go with them.
func.func @unread_in_loops(%x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4x4xf64>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %x, %m[%i, %j] : memref<4x4xf64>
    }
  }
  memref.dealloc %m : memref<4x4xf64>
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %ends = transform.structured.match ops{["scf.yield"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.memref.erase_dead_alloc_and_stores %func : (!transform.any_op) -> ()
    transform.debug.emit_remark_at %ends, "an end" : !transform.any_op
    transform.yield
  }
}

// -----

// So does what chooses whether to store and free.
func.func @unread_in_branch(%c: i1, %x: f64) {
  scf.if %c {
    %m = memref.alloc() : memref<f64>
    memref.store %x, %m[] : memref<f64>
    memref.dealloc %m : memref<f64>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.memref.erase_dead_alloc_and_stores %func : (!transform.any_op) -> ()
    transform.apply_dce to %func : !transform.any_op
    transform.yield
  }
}

// -----

// A parallel loop that is converted takes its own end along, no other.
func.func @inner_ends(%m: memref<4x4xf32>, %x: f32) {
  scf.forall (%i) in (4) {
    scf.forall (%j) in (4) {
      memref.store %x, %m[%i, %j] : memref<4x4xf32>
    }
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loops = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    %inner, %outer = transform.split_handle %loops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %for = transform.loop.forall_to_for %outer : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Masks are made of sizes of buffers.
func.func @masked(%a: memref<?x4xf32>, %b: memref<4x8xf32>, %c: memref<?x8xf32>) {
  linalg.matmul ins(%a, %b : memref<?x4xf32>, memref<4x8xf32>) outs(%c : memref<?x8xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op vector_sizes [8, 8, 4] : !transform.any_op
    transform.yield
  }
}

// -----

// A reader of a fill behind a loop that only passes it on folds to its value.
func.func @passed_on(%m: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<6xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %f) -> (tensor<6xf32>) {
    scf.yield %acc : tensor<6xf32>
  }
  %y = tensor.extract %r[%c0] : tensor<6xf32>
  memref.store %y, %m[%c0] : memref<4xf32>
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.apply_patterns to %root {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.debug.emit_remark_at %root, "no fill" : !transform.any_op
    transform.yield
  }
}
