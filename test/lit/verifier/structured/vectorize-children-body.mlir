// Vectorization that gives up at an op of the body has changed the payload by then, so that
// patterns begin again and again.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: not formwork apply %s --unchecked -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: sed '/func.call/d' %s > %t.pure.mlir
// RUN: formwork check --static %t.pure.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t.pure.mlir --validate -o %t.out

// CHECK: may not end: patterns retry an op whose body may not be vectorizable [fw-unproved]
// STOCK: failed to apply
// PROVED: : proved: 0 errors

func.func private @outside()

func.func @f(%x: memref<4xf32>, %sum: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<4xf32>) outs(%sum : memref<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    func.call @outside() : () -> ()
    linalg.yield %0 : f32
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %one = transform.split_handle %f {fail_on_payload_too_small = true, overflow_result = 0} : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.vectorize_children_and_apply_patterns %one : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
