// A softmax on tensors of floats has a decomposition, as has a tile of it; what
// that consists of can be bufferized.

// RUN: formwork check --static --strict %s
// RUN: formwork apply %s --validate -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sed 's/f32/i32/g' %s > %t.integers.mlir
// RUN: formwork check --static %t.integers.mlir 2>&1 | FileCheck %s --check-prefix=INTEGERS

// CHECK-NOT: linalg.softmax
// CHECK: memref.alloc
// INTEGERS: cannot prove that 'transform.structured.decompose_interface' succeeds: can fail: decomposes an op that may have elements other than floats

module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<16x8xf32>, %b: tensor<16x8xf32>) -> tensor<16x8xf32> {
    %0 = linalg.softmax dimension(1) ins(%a : tensor<16x8xf32>) outs(%b : tensor<16x8xf32>) -> tensor<16x8xf32>
    return %0 : tensor<16x8xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %row, %rows = transform.structured.tile_using_forall %softmax tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %parts = transform.structured.decompose_interface %row : (!transform.any_op) -> !transform.any_op
    transform.annotate %parts "part" : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %done = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
