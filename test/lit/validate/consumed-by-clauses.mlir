// A consumed op is not what it was behind that op,
// and perhaps not there, as far as clauses tell.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-4: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

func.func @peeled(%m: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c41 = arith.constant 41 : index
  scf.for %i = %c0 to %c41 step %c5 {
    memref.store %x, %m[%i] : memref<?xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %main, %rest = transform.loop.peel %loop : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %main, "main" : !transform.any_op
    transform.yield
  }
}

// -----

func.func @jammed(%m: memref<21x30xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c20 step %c1 {
    scf.for %j = %c0 to %c20 step %c1 {
      memref.store %x, %m[%i, %j] : memref<21x30xf32>
    }
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %store = transform.structured.match ops{["memref.store"]} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.get_parent_op %store {op_name = "scf.for", nth_parent = 2} : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll_and_jam %loop {factor = 4} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @split(%a: memref<16x8xf32>, %b: memref<8x4xf32>, %c: memref<16x4xf32>) {
  linalg.matmul ins(%a, %b : memref<16x8xf32>, memref<8x4xf32>) outs(%c : memref<16x4xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %parts = transform.structured.split %matmul after 4 {dimension = 0} : !transform.any_op
    %first, %second = transform.split_handle %parts : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %second, "second" : !transform.any_op
    transform.yield
  }
}

// -----

func.func @scalarized(%a: memref<4xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.convert_to_loops %fill : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
