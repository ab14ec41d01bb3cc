// Bufferization frees nothing. Passes on buffers that are freed, or on other ops that are not there, cannot fail.
// RUN: split-file %s %t
// RUN: formwork check --static %t/payload.mlir --transform=%t/schedule.mlir | FileCheck %s
// RUN: formwork check --static %t/freed.mlir --transform=%t/simplify.mlir 2>&1 | FileCheck %s --check-prefix=FREED

// CHECK: : proved: 0 errors
// FREED: the process may end at a buffer that may be one of several

//--- payload.mlir
module {
  func.func @f(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %b = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %b : (!transform.any_op) -> !transform.any_op
    %0 = transform.apply_registered_pass "optimize-allocation-liveness" to %f : (!transform.any_op) -> !transform.any_op
    %1 = transform.apply_registered_pass "buffer-deallocation-simplification" to %0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.apply_registered_pass "memref-expand" to %1 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- freed.mlir
module {
  func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) {
    bufferization.dealloc (%a : memref<4xf32>) if (%c)
    return
  }
}

//--- simplify.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.apply_registered_pass "buffer-deallocation-simplification" to %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
