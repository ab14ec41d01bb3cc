// A structured op without inits makes nothing, not even on tensors: a loop over its tiles has no
// results, and is converted as one on buffers.
// RUN: formwork check --static %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: formwork apply %s -o - 2>/dev/null | FileCheck %s --check-prefix=RUNS

// CHECK: unproved: 0 errors
// RUNS: scf.for

module attributes {transform.with_named_sequence} {
  func.func @reads(%a: tensor<8xf32>) {
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf32>) {
    ^bb0(%x: f32):
      linalg.yield
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %reader = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %forall = transform.structured.tile_using_forall %reader tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %loop = transform.loop.forall_to_for %forall : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
