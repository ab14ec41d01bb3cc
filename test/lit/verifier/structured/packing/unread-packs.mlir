// Packing on buffers leaves packs that are not valid and that nothing reads. The
// pass behind it erases them before MLIR looks.
// RUN: mlir-opt %s --transform-interpreter -o %t.out
// RUN: %formwork check --static %s 2>&1 | FileCheck %s

// CHECK: warning: fails here: 'linalg.pack' op operand #0 must be ranked tensor
// CHECK: unproved: 0 errors

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
    linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
    return
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %a = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack_greedily %a matmul_packed_sizes = [4, 4, 4] matmul_inner_dims_order = [0, 1, 2] : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %folded = transform.apply_registered_pass "linalg-fold-unit-extent-dims" to %func : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
