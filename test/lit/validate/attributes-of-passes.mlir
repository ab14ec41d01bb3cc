// The result of a pass may have attributes that nobody had: the mapping of a loop that is
// converted, or the attributes that the pass is for.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-2: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

func.func @converted(%m: memref<4xf32>, %x: f32) {
  scf.forall (%i) in (4) {
    memref.store %x, %m[%i] : memref<4xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %parallel = transform.apply_registered_pass "scf-forall-to-parallel" to %func : (!transform.any_op) -> !transform.any_op
    %mapped = transform.structured.match attributes{mapping = [#gpu.thread<x>]} in %parallel : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @mapped(%m: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    memref.store %x, %m[%i] : memref<4xf32>
  } {seen}
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %mapped = transform.apply_registered_pass "gpu-map-parallel-loops" to %func : (!transform.any_op) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.parallel"]} attributes{seen} in %mapped : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
