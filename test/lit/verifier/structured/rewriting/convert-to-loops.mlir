// A structured op on buffers becomes one loop for each of its own, from the outermost in;
// what it computes with is copied with its attributes, and its own are gone.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/loops.mlir --strict -Wno-fw-step-idle 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/loops.mlir --validate -o %t.out
// RUN: not formwork check %t/payload.mlir --transform=%t/two.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/two.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: formwork check %t/payload.mlir --transform=%t/body.mlir 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: formwork apply %t/payload.mlir --transform=%t/body.mlir --validate -o %t.out

// CHECK: warning: requires a payload op to match but 'builtin.module' has none at this point
// CHECK: : proved: 0 errors
// TWO: error: requires 2 payload ops in %loops but it has 3 [fw-cardinality]
// STOCK: error: {{.*}}expected to contain 2 payloads but it contains 3 payloads
// BODY-NOT: fw-empty-match
// BODY: : unproved: 0 errors

//--- payload.mlir
func.func @f(%a: memref<8x12xf32>, %b: memref<12x6xf32>, %c: memref<8x6xf32>, %z: memref<4xcomplex<f32>>) {
  linalg.matmul {outside} ins(%a, %b : memref<8x12xf32>, memref<12x6xf32>) outs(%c : memref<8x6xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%z : memref<4xcomplex<f32>>) {
  ^bb0(%x: complex<f32>):
    %y = complex.add %x, %x {inside} : complex<f32>
    linalg.yield %y : complex<f32>
  }
  return
}

//--- loops.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.convert_to_loops %matmul : (!transform.any_op) -> !transform.any_op
    %i, %j, %k = transform.split_handle %loops : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.loop.unroll %k {factor = 4} : !transform.any_op
    %around = transform.get_parent_op %j {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    transform.annotate %around "outermost" : !transform.any_op
    %gone = transform.structured.match attributes{outside} in %m : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %gone tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- two.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.convert_to_loops %matmul : (!transform.any_op) -> !transform.any_op
    %i, %j = transform.split_handle %loops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- body.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %generic = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.convert_to_loops %generic : (!transform.any_op) -> !transform.any_op
    %inside = transform.structured.match attributes{inside} in %m : (!transform.any_op) -> !transform.any_op
    %adds = transform.structured.match ops{["complex.add"]} in %m : (!transform.any_op) -> !transform.any_op
    %one = transform.split_handle %inside : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
