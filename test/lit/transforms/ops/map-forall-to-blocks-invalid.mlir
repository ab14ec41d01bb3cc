// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// fw-missing-mapping
func.func @f(%x: memref<?x?xf32>, %n: index, %v: f32) {
  // expected-note @below {{payload op}}
  scf.forall (%i, %j) in (%n, %n) {
    memref.store %v, %x[%i, %j] : memref<?x?xf32>
  } {outer}
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.forall"]} attributes {outer} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a loop that is mapped to blocks but has one without a mapping [fw-missing-mapping]}}
    %launch = transform.formwork.map_forall_to_blocks %loop : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-wrong-mapping: threads
func.func @f(%x: memref<?x?xf32>, %n: index, %v: f32) {
  // expected-note @below {{payload op}}
  scf.forall (%i, %j) in (%n, %n) {
    memref.store %v, %x[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.thread<x>, #gpu.thread<y>], outer}
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.forall"]} attributes {outer} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires dimensions that are mapped to blocks along x, y or z, or are all linear, but has one that is mapped to something else [fw-wrong-mapping]}}
    %launch = transform.formwork.map_forall_to_blocks %loop : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-duplicate-mapping
func.func @f(%x: memref<?x?xf32>, %n: index, %v: f32) {
  // expected-note @below {{payload op}}
  scf.forall (%i, %j) in (%n, %n) {
    memref.store %v, %x[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<y>], outer}
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.forall"]} attributes {outer} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires each axis of the grid at most once but has one twice [fw-duplicate-mapping]}}
    %launch = transform.formwork.map_forall_to_blocks %loop : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-not-bufferized
func.func @f(%x: tensor<?xf32>, %n: index, %v: f32) -> tensor<?xf32> {
  // expected-note @below {{payload op}}
  %r = scf.forall (%i) in (%n) shared_outs(%o = %x) -> (tensor<?xf32>) {
    %s = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<x>], outer}
  return %r : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.forall"]} attributes {outer} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a loop on buffers but has one with results [fw-not-bufferized]}}
    %launch = transform.formwork.map_forall_to_blocks %loop : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-wrong-mapping: inside of another loop
func.func @f(%x: memref<?x?xf32>, %n: index, %v: f32) {
  scf.forall (%i) in (%n) {
    // expected-note @below {{payload op}}
    scf.forall (%j) in (%n) {
      memref.store %v, %x[%i, %j] : memref<?x?xf32>
    } {mapping = [#gpu.block<x>], outer}
  } {mapping = [#gpu.block<y>]}
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.forall"]} attributes {outer} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a loop in host code but has one that is inside of a kernel or of another parallel loop [fw-wrong-mapping]}}
    %launch = transform.formwork.map_forall_to_blocks %loop : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-wrong-kind
// expected-note @below {{payload op}}
func.func @f() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires an 'scf.forall' but has 'func.func' [fw-wrong-kind]}}
    %launch = transform.formwork.map_forall_to_blocks %func : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
