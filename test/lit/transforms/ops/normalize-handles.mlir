// A remark says what normalization does to handles that are used later.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// fw-handle-shrunk: a dead op is gone.
module attributes {transform.with_named_sequence} {
  func.func @f(%a: i32) -> i32 {
    %0 = arith.addi %a, %a : i32
    %1 = arith.addi %0, %a : i32
    return %0 : i32
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note @below {{the handle is defined here}}
    %adds = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-remark @below {{a handle that is used later had 2 ops and has 1: 'arith.addi' was erased [fw-handle-shrunk]}}
    // expected-note @below {{by rule 'driver'}}
    transform.normalform.normalize %f to @canonical : !transform.any_op
    transform.annotate %adds "live" : !transform.any_op
    transform.yield
  }
}

// -----

// A handle that is not used later is nobody's business.
module attributes {transform.with_named_sequence} {
  func.func @f(%a: i32) -> i32 {
    %c0 = arith.constant 0 : i32
    %0 = arith.addi %a, %c0 : i32
    return %0 : i32
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %adds = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %adds "seen" : !transform.any_op
    transform.normalform.normalize %f to @canonical : !transform.any_op
    transform.yield
  }
}

// -----

// fw-handle-duplicated: CSE merges two ops of one handle.
module attributes {transform.with_named_sequence} {
  func.func @f(%a: i32) -> i32 {
    %0 = arith.addi %a, %a : i32
    %1 = arith.addi %a, %a : i32
    %2 = arith.muli %0, %1 : i32
    return %2 : i32
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note @below {{the handle is defined here}}
    %adds = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-remark @below {{a handle that is used later holds one op twice: 'arith.addi' was merged with another of its ops [fw-handle-duplicated]}}
    // expected-note @below {{by procedure 'cse'}}
    transform.normalform.normalize %f to @canonical : !transform.any_op
    transform.annotate %adds "live" : !transform.any_op
    transform.yield
  }
}

// -----

// fw-handle-retargeted: an op was replaced by another of its kind.
module attributes {transform.with_named_sequence} {
  func.func @f(%a: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %0 = arith.addi %a, %c1 : i32
    %1 = arith.addi %0, %c1 : i32
    return %1 : i32
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %adds = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note @below {{the handle is defined here}}
    %first, %second = transform.split_handle %adds : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-remark @below {{a handle that is used later holds another op: 'arith.addi' was replaced [fw-handle-retargeted]}}
    // expected-note @below {{by rule 'AddIAddConstant'}}
    transform.normalform.normalize %f to @canonical : !transform.any_op
    transform.annotate %second "live" : !transform.any_op
    transform.yield
  }
}

// -----

// fw-handle-moved: the op is no longer in the loop that it was matched in.
module attributes {transform.with_named_sequence} {
  func.func @f(%n: index, %m: memref<?xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %0 = arith.muli %n, %n : index
      memref.store %0, %m[%i] : memref<?xindex>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note @below {{the handle is defined here}}
    %product = transform.structured.match ops{["arith.muli"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-remark @below {{a handle that is used later holds an op that left its loop: 'arith.muli' was in 'scf.for' [fw-handle-moved]}}
    // expected-note @below {{by procedure 'licm'}}
    transform.normalform.normalize %f to @loops.invariants_hoisted : !transform.any_op
    transform.annotate %product "live" : !transform.any_op
    transform.yield
  }
}

// -----

// fw-handle-lost: an op became something else, and its handle is used later.
module attributes {transform.with_named_sequence} {
  func.func @f(%a: vector<4x8xf32>, %b: vector<4x8xf32>, %acc: vector<4xf32>) -> vector<4xf32> {
    %0 = arith.mulf %a, %b : vector<4x8xf32>
    // expected-note @below {{replaced payload op}}
    %1 = vector.multi_reduction <add>, %0, %acc [1] : vector<4x8xf32> to vector<4xf32>
    return %1 : vector<4xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note @below {{the handle is defined here}}
    %sum = transform.structured.match ops{["vector.multi_reduction"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{normalization to @vector.contracts replaced 'vector.multi_reduction', which a handle that is used later holds [fw-handle-lost]}}
    // expected-note @below {{by rule 'MultiReduceToContract'}}
    transform.normalform.normalize %f to @vector.contracts : !transform.any_op
    transform.annotate %sum "live" : !transform.any_op
    transform.yield
  }
}
