// Parents, elements of splits, and bodies that another loop takes over.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-12: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

// The parent of an op that was taken out of its loop is that of another.
func.func @same_parent(%m: memref<8x8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %x, %m[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loops : !transform.any_op
    %func = transform.get_parent_op %loops {deduplicate, op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The first op without a parent ends the search.
func.func @no_parent(%a: tensor<8xf32>) -> (tensor<2xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %first = tensor.extract_slice %a[1] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%acc = %a) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %a[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %t = tensor.insert_slice %s into %acc[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
  return %first, %r : tensor<2xf32>, tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %slices = transform.structured.match ops{["tensor.extract_slice"]} in %root : (!transform.any_op) -> !transform.any_op
    %loops = transform.get_parent_op %slices {allow_empty_results, op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// An op that may be a constant by now is a parent all the same.
func.func @doubted_parent(%x: f32) -> tensor<6xf32> {
  %g = tensor.generate {
  ^bb0(%i: index):
    %y = arith.mulf %x, %x : f32
    tensor.yield %y : f32
  } : tensor<6xf32>
  return %g : tensor<6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mul = transform.structured.match ops{["arith.mulf"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_dce to %root : !transform.any_op
    %parent = transform.get_parent_op %mul : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// That an element of a split dies says nothing of the other.
func.func @split(%a: tensor<8x8xf32>, %x: f32) -> tensor<8x8xf32> {
  %f = linalg.fill ins(%x : f32) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %q = linalg.exp ins(%p : tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %q : tensor<8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %all = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %two, %one = transform.split_handle %all {overflow_result = 0} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiles, %loops = transform.structured.tile_using_forall %two tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %one, "alive" : !transform.any_op
    transform.yield
  }
}

// -----

// The end of a forall ends no other loop.
func.func @converted(%m: memref<8xf32>, %x: f32) {
  scf.forall (%i) in (8) {
    memref.store %x, %m[%i] : memref<8xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %forall = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.loop.forall_to_for %forall : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %loop, "a loop" : !transform.any_op
    transform.yield
  }
}

// -----

// Groups that are applied to an op with two regions reach what is around it.
func.func @around(%n: index) -> (index, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.5 : f32
  %v = vector.broadcast %x : f32 to vector<4xf32>
  %r = scf.while (%i = %c0) : (index) -> index {
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    %w = vector.shape_cast %v : vector<4xf32> to vector<2x2xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return %r, %v : index, vector<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %while = transform.structured.match ops{["scf.while"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %while {
    } : !transform.any_op
    transform.yield
  }
}

// -----

// The loops of a forall that has to be normalized before it is mapped have trip counts all the
// same.
func.func @steps(%m: memref<8xf32>, %x: f32) {
  scf.forall (%i) = (0) to (6) step (2) {
    memref.store %x, %m[%i] : memref<8xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %forall = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.loop.forall_to_for %forall : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %loop, "a loop" : !transform.any_op
    transform.yield
  }
}

// -----

// A parent that is not there is none on the other path, so that no path knows
// more of the place than before.
func.func @alternative(%a: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %f = linalg.fill ins(%x : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %f : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %clean = transform.apply_registered_pass "cse" to %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %clean : (!transform.any_op) -> !transform.any_op
    %new = transform.alternatives %func : !transform.any_op -> !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      %none = transform.get_parent_op %scope {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
      transform.yield %scope : !transform.any_op
    }, {
    ^bb0(%scope: !transform.any_op):
      transform.yield %scope : !transform.any_op
    }
    %fill = transform.structured.match ops{["linalg.fill"]} in %clean : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// An op that may have left a loop of one step may be in it all the same when that is replaced by a
// copy of its body.
func.func @loosened(%a: tensor<8x7xf32>, %x: f32) -> tensor<8x7xf32> {
  %f = linalg.fill ins(%x : f32) outs(%a : tensor<8x7xf32>) -> tensor<8x7xf32>
  return %f : tensor<8x7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %forall = transform.structured.tile_using_forall %fill tile_sizes [16, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_licm to %forall : !transform.any_op
    %inner, %loops:2 = transform.structured.tile_using_for %tiled tile_sizes [2, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.debug.emit_remark_at %inner, "nothing" : !transform.any_op
    transform.yield
  }
}

// -----

// A launch that is not known may hold the loops, or there may be none.
func.func @no_launch(%a: tensor<4x4xf32>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %m = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x8xf32>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %m : tensor<4x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %forall = transform.structured.tile_using_forall %matmul num_threads [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %new, %loops:2 = transform.structured.fuse %tiled tile_sizes [4, 2] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %launch = transform.structured.match ops{["gpu.launch"]} in %func : (!transform.any_op) -> !transform.any_op
    %mapped = transform.gpu.map_nested_forall_to_threads %launch block_dims = [16, 4, 1] : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %new, "alive" : !transform.any_op
    transform.yield
  }
}

// -----

// An op without dimensions is tiled without a loop.
func.func @no_dimensions(%x: i32) -> (tensor<8x8xi32>, tensor<i32>) {
  %e = tensor.empty() : tensor<8x8xi32>
  %f = linalg.fill ins(%x : i32) outs(%e : tensor<8x8xi32>) -> tensor<8x8xi32>
  %g = tensor.empty() : tensor<i32>
  %h = linalg.fill ins(%x : i32) outs(%g : tensor<i32>) -> tensor<i32>
  return %f, %h : tensor<8x8xi32>, tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiles, %loops = transform.structured.tile_using_forall %fills num_threads [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %more, %inner = transform.structured.tile_using_forall %tiles tile_sizes [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A match inside of a loop does not find what was taken out of it.
func.func @taken_out(%m: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %e = tensor.empty() : tensor<6xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
    %y = tensor.extract %f[%i] : tensor<6xf32>
    memref.store %y, %m[%i] : memref<4xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loop : !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %loop : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %fill, "nothing" : !transform.any_op
    transform.yield
  }
}
