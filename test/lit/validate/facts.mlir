// Elements of a handle are other ops, none inside another, only where the handle is
// known to be such: not of what was merged from handles of several kinds.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-7: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

func.func @nested(%a: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %r = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @same(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @is_fill(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.fill"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.collect_matching @is_fill in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.get_parent_op %fill : (!transform.any_op) -> !transform.any_op
    %both = transform.merge_handles %func, %fill : !transform.any_op
    %outer, %inner = transform.split_handle %both : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %outer, "outer" : !transform.any_op
    transform.debug.emit_remark_at %inner, "inner" : !transform.any_op
    transform.yield
  }
}

// -----

// A step that consumes an unknown one of several ops leaves none of them as it was.

func.func @collected(%a: tensor<4xf32>, %b: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.copy ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %r, %c : tensor<4xf32>, tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_fill(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.fill"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.collect_matching @is_fill in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %fill tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %again = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %again, "again" : !transform.any_op
    transform.yield
  }
}

// -----

// A size that the payload hides from a type, and folding finds, is not dynamic for sure.

func.func @hidden(%x: i32) -> memref<?xi32> {
  %c7 = arith.constant 7 : index
  %a = memref.alloc(%c7) : memref<?xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<?xi32>)
  return %a : memref<?xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %fill tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The tile of an op of which it is not known which one it is can be matched, and what
// may be gone may have no parent.

func.func @tiled(%a: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %r = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %s = tensor.splat %x : tensor<4xf32>
  %dead = tensor.splat %x : tensor<4xf32>
  return %r, %s : tensor<4xf32>, tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_fill(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.fill"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %splat = transform.structured.match ops{["tensor.splat"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %root : !transform.any_op
    %funcs = transform.get_parent_op %splat {isolated_from_above} : (!transform.any_op) -> !transform.any_op
    %fill = transform.collect_matching @is_fill in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %fill tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %again = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %again, "again" : !transform.any_op
    transform.debug.emit_remark_at %l, "loop" : !transform.any_op
    transform.yield
  }
}

// -----

// An op inside of the loop has a use there, by what inserts its result.

func.func @inside(%a: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %r = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %fill tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %u, %m = transform.structured.tile_using_for %t tile_sizes [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %n = transform.structured.fuse_into_containing_op %u into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// An op that may have the attribute, and may be gone, is no entry of a match; the payload's root is
// never gone.

func.func @tagged(%a: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = linalg.fill {tag} ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.fill {other} ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %r, %s : tensor<4xf32>, tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.apply_cse to %root : !transform.any_op
    %one = transform.structured.match attributes {tag} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %one tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %two = transform.structured.match attributes {other} in %root : (!transform.any_op) -> !transform.any_op
    %u, %m = transform.structured.tile_using_for %two tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %all = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %all, "all" : !transform.any_op
    transform.yield
  }
}

// -----

// Nothing has no consumers, and asking for them is no failure.

func.func @nothing() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %none = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %users = transform.get_consumers_of_result %none[0] : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %users, "users" : !transform.any_op
    transform.yield
  }
}
