// The attributes of a vectorized op go with it; those of what it computes with are those of what
// computes on vectors.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o - | FileCheck %s --check-prefix=OUT
// RUN: sed 's/attributes {whole}/attributes {inner}/' %s > %t.mlir
// RUN: formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=INNER

// CHECK: : proved: 0 errors, 2 warnings;
// INNER: cannot prove that 'transform.structured.tile_using_for' succeeds
// OUT-NOT: whole
// OUT: arith.addf {{.*}} {inner} : vector<8xf32>

#id = affine_map<(d0) -> (d0)>
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<8xf32>) outs(%b : memref<8xf32>) attrs = {whole} {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in {inner} : f32
    linalg.yield %s : f32
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %generic = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %generic : !transform.any_op
    %none = transform.structured.match attributes {whole} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %none tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
