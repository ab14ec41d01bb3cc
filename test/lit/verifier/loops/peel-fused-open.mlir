// The loops of a fusion end where the payload says while it runs, as those of a tiling do.
// RUN: formwork check %s 2>&1 | FileCheck %s --check-prefix=PROVED
// PROVED: : proved: 0 errors
// RUN: formwork apply %s --validate -o %t.mlir
// RUN: sed 's/?x/32x/g' %s > %t.static.mlir
// RUN: not formwork apply %t.static.mlir --unchecked -o %t.mlir 2>&1 | FileCheck %s --check-prefix=APPLY
// RUN: not formwork check %t.static.mlir 2>&1 | FileCheck %s
// CHECK: requires a loop with a partial last iteration but its step 8 divides its range 32
// APPLY: failed to peel the last iteration

func.func @f(%a: tensor<?x12xf32>, %b: tensor<?x12xf32>) -> tensor<?x12xf32> {
  %0 = linalg.exp ins(%a : tensor<?x12xf32>) outs(%b : tensor<?x12xf32>) -> tensor<?x12xf32>
  return %0 : tensor<?x12xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %fused, %loop = transform.structured.fuse %0 tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">)
    %main, %rest = transform.loop.peel %loop : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
