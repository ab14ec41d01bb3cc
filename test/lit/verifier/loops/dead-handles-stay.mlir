// A handle whose payload was consumed for sure stays dead, whatever clean-up makes of
// that payload.
// RUN: not formwork check %s 2>&1 | FileCheck %s
// RUN: not mlir-opt %s --transform-interpreter -o %t.mlir 2>&1 | FileCheck %s --check-prefix=RUNS
// CHECK: error: requires a valid handle but %tile is invalidated [fw-use-after-consume]
// CHECK: note: 'transform.loop.outline' consumes 'scf.forall', which contains the payload of this handle
// RUNS: error: op uses a handle invalidated by a previously executed transform op

func.func @f(%a: memref<16x12xf32>, %b: memref<12x8xf32>, %c: memref<16x8xf32>) {
  linalg.matmul ins(%a, %b : memref<16x12xf32>, memref<12x8xf32>) outs(%c : memref<16x8xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %forall = transform.structured.tile_using_forall %0 tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %kernel, %call = transform.loop.outline %forall {func_name = "kernel"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %kernel {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.annotate %tile "x" : !transform.any_op
    transform.yield
  }
}
