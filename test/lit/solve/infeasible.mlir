// RUN: formwork solve %s --split-input-file --verify-diagnostics

// One split for each constraint of ours, named by its id.

// tile.nonnegative
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+2 {{requires parameters that meet every constraint but no value of tile does [fw-param-infeasible]}}
    // expected-note@+1 {{tile can be {-8, -4}}}
    %tile = transform.tune.knob<"tile"> options = [-8, -4] -> !transform.param<i64>
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{requires that the tile size tile of dimension 0 is not negative (tile.nonnegative)}}
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [%tile]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// tile.mapped
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+2 {{[fw-param-infeasible]}}
    // expected-note@+1 {{tile can be {0}}}
    %tile = transform.tune.knob<"tile"> options = [0] -> !transform.param<i64>
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{requires that the tile size tile of dimension 1 is not 0, because the loop is mapped (tile.mapped)}}
    %tiled, %loop = transform.structured.tile_using_forall %matmul tile_sizes [4, %tile]
        (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Not mapped, a tile of 0 leaves the dimension as it is.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %tile = transform.tune.knob<"tile"> options = [0] -> !transform.param<i64>
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %matmul tile_sizes [4, %tile]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// tile.some-dimension
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+2 {{[fw-param-infeasible]}}
    // expected-note@+1 {{tile can be {0}}}
    %tile = transform.tune.knob<"tile"> options = [0] -> !transform.param<i64>
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{requires that some tile size of the forall is not 0 (tile.some-dimension)}}
    %tiled, %loop = transform.structured.tile_using_forall %matmul tile_sizes [0, %tile]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// tile.within-extent, of a tile: the two knobs are at odds.
module {
  func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %d = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
        outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    return %d : tensor<64x64xf32>
  }
  module attributes {transform.with_named_sequence} {
    // expected-error@+1 {{requires parameters that meet every constraint but no value of outer, inner does [fw-param-infeasible]}}
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      // expected-note@+1 {{outer can be {8, 16}}}
      %outer = transform.tune.knob<"outer"> options = [8, 16] -> !transform.param<i64>
      // expected-note@+1 {{inner can be {32, 64}}}
      %inner = transform.tune.knob<"inner"> options = [32, 64] -> !transform.param<i64>
      %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
      %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [%outer]
          : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
      // expected-note@+1 {{of dimension 0 of 'linalg.matmul' (tile.within-extent)}}
      %again, %loops = transform.structured.tile_using_for %tiled tile_sizes [%inner]
          : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
      transform.yield
    }
  }
}

// -----

// tile.divides: vectorization needs static shapes.
module {
  func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %d = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
        outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    return %d : tensor<64x64xf32>
  }
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      // expected-error@+4 {{[fw-param-infeasible]}}
      // expected-note@+3 {{tile can be 8 to 64 step 8}}
      // expected-note@+2 {{requires that tile = 48 (knob.selected)}}
      // expected-note@+1 {{fix-it: select 64 instead of 48 for tile}}
      %tile = transform.tune.knob<"tile"> = 48 from options = {} {formwork.range = [8, 64, 8]} -> !transform.param<i64>
      %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
      // expected-note@+1 {{requires that the tile size tile divides 64, the size of dimension 2, because 'transform.structured.vectorize' requires static shapes (tile.divides)}}
      %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [0, 0, %tile]
          : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
      transform.structured.vectorize %tiled : !transform.any_op
      transform.yield
    }
  }
}

// -----

// alternatives.region, and a knob whose own values exclude each other.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+2 {{[fw-param-infeasible]}}
    // expected-note@+1 {{which can be {2, 3}}}
    %which = transform.tune.knob<"which"> options = [2, 3] -> !transform.param<i64>
    // expected-note@+1 {{(alternatives.region)}}
    transform.tune.alternatives<"a"> selected_region = %which : !transform.param<i64> {
    }, {
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+2 {{[fw-param-infeasible]}}
    // expected-note@+1 {{tile can be none}}
    %tile = transform.tune.knob<"tile"> options = [3, 5] {formwork.power_of_two} -> !transform.param<i64>
    transform.yield
  }
}

// -----

// constrain.assert, in a sequence that is included, and in a region that is
// chosen: the other region would do.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @odd(%tile: !transform.param<i64> {transform.readonly}) {
    transform.smt.constrain_params(%tile) : (!transform.param<i64>) -> () {
    ^bb0(%t: !smt.int):
      %two = smt.int.constant 2
      %one = smt.int.constant 1
      %rest = smt.int.mod %t, %two
      %odd = smt.eq %rest, %one : !smt.int
      // expected-note@+1 {{requires that tile mod 2 = 1 (constrain.assert)}}
      smt.assert %odd
    }
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+2 {{[fw-param-infeasible]}}
    // expected-note@+1 {{tile can be {4, 8}}}
    %tile = transform.tune.knob<"tile"> options = [4, 8] -> !transform.param<i64>
    transform.tune.alternatives<"a"> selected_region = 0 {
      transform.include @odd failures(propagate) (%tile) : (!transform.param<i64>) -> ()
    }, {
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %tile = transform.tune.knob<"tile"> options = [4, 8] -> !transform.param<i64>
    transform.tune.alternatives<"a"> {
      transform.smt.constrain_params(%tile) : (!transform.param<i64>) -> () {
      ^bb0(%t: !smt.int):
        %false = smt.constant false
        smt.assert %false
      }
    }, {
    }
    transform.yield
  }
}

// -----

// constrain.defined
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+2 {{[fw-param-infeasible]}}
    // expected-note@+1 {{parts can be {0}}}
    %parts = transform.tune.knob<"parts"> options = [0] -> !transform.param<i64>
    // expected-note@+1 {{requires that result 0 does not divide by zero (constrain.defined)}}
    %part = transform.smt.constrain_params(%parts) : (!transform.param<i64>) -> !transform.param<i64> {
    ^bb0(%p: !smt.int):
      %whole = smt.int.constant 64
      %part = smt.int.div %whole, %p
      smt.yield %part : !smt.int
    }
    transform.debug.emit_param_as_remark %part : !transform.param<i64>
    transform.yield
  }
}

// -----

// knob.domain
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error@+3 {{[fw-param-infeasible]}}
    // expected-note@+2 {{tile can be 7 to 999999994 step 7}}
    // expected-note@+1 {{(knob.domain)}}
    %tile = transform.tune.knob<"tile"> options = {} {formwork.range = [1, 1000000000, 3], formwork.multiple_of = 7} -> !transform.param<i64>
    transform.smt.constrain_params(%tile) : (!transform.param<i64>) -> () {
    ^bb0(%n: !smt.int):
      %two = smt.int.constant 2
      %unit = smt.int.constant 3
      %rest = smt.int.mod %n, %unit
      %other = smt.eq %rest, %two : !smt.int
      // expected-note@+1 {{(constrain.assert)}}
      smt.assert %other
    }
    transform.yield
  }
}
