// RUN: formwork solve %s --split-input-file --verify-diagnostics | FileCheck %s

// A constraint that cannot be translated is reported, and does not stop the rest.
// CHECK: tile = 4
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %tile = transform.tune.knob<"tile"> options = [2, 4] -> !transform.param<i64>
    %count = transform.num_associations %root : (!transform.any_op) -> !transform.param<i64>
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %many = transform.num_associations %matmul : (!transform.any_op) -> !transform.param<i64>
    transform.smt.constrain_params(%tile, %many) : (!transform.param<i64>, !transform.param<i64>) -> () {
    ^bb0(%t: !smt.int, %n: !smt.int):
      // expected-note@+1 {{it stands here}}
      %all = smt.forall {
      ^bb0(%x: !smt.int):
        %always = smt.constant true
        smt.yield %always : !smt.bool
      }
      // expected-warning@+1 {{cannot check this constraint: 'smt.forall' is not supported [fw-param-unmodelled]}}
      smt.assert %all
      %less = smt.int.cmp lt %n, %t
      // expected-warning@+1 {{cannot check this constraint: parameter 1 of 'transform.smt.constrain_params' is a result of 'transform.num_associations' [fw-param-unmodelled]}}
      smt.assert %less
      %two = smt.int.constant 2
      %more = smt.int.cmp gt %t, %two
      smt.assert %more
    }
    transform.yield
  }
}

// -----

// CHECK: no knobs
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-remark@+1 {{takes the first option of 'layout' unless one is selected: it has the option "row", which is not a 64-bit integer [fw-param-opaque]}}
    %layout = transform.tune.knob<"layout"> options = ["row", "column"] -> !transform.any_param
    %ops = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %ops : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      transform.smt.constrain_params() : () -> () {
        %false = smt.constant false
        // expected-warning@+1 {{cannot check this constraint: it stands in 'transform.foreach', where it need not run or may fail [fw-param-unmodelled]}}
        smt.assert %false
      }
    }
    transform.yield
  }
}

// -----

// A parameter is a list: each value of it is a tile size, and what needs a single
// one is not modelled. Knobs of one name are two choices.
// CHECK: tile = 2, tile#2 = 0
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %first = transform.tune.knob<"tile"> options = [-2, 2] -> !transform.param<i64>
    %second = transform.tune.knob<"tile"> options = [-1, 0] -> !transform.param<i64>
    %both = transform.merge_handles %first, %second : !transform.param<i64>
    %ops = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %ops tile_sizes [%both]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.smt.constrain_params(%both) : (!transform.param<i64>) -> () {
    ^bb0(%b: !smt.int):
      %zero = smt.int.constant 0
      %positive = smt.int.cmp gt %b, %zero
      // expected-warning@+1 {{cannot check this constraint: parameter 0 of 'transform.smt.constrain_params' is a list of 2 values [fw-param-unmodelled]}}
      smt.assert %positive
    }
    transform.yield
  }
}
