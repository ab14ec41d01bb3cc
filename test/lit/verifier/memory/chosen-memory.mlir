// A tensor in a memory that a step chose is proved to bufferize only where other
// ops do no more than read it: where it is copied, or returned, upstream
// allocates memory of a layout that it has no sizes for.
// RUN: split-file %s %t
// RUN: formwork check %t/copied.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s
// RUN: formwork check %t/returned.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s
// RUN: formwork check %t/given.mlir --transform=%t/bufferize.mlir 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: formwork check %t/read.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not formwork apply %t/copied.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: formwork apply %t/read.mlir --transform=%t/schedule.mlir -o - | FileCheck %s --check-prefix=APPLIED

// CHECK: cannot prove that 'transform.bufferization.one_shot_bufferize' succeeds: may bufferize to invalid IR: a tensor in a memory that a step chose may be copied, or handed on to where others are expected
// GIVEN: 'bufferization.alloc_tensor' is in another memory
// READ: : proved: 0 errors
// FAILS: op symbol operand count does not equal memref symbol count
// APPLIED: memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>

//--- copied.mlir
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %x = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %q = linalg.matmul ins(%b, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %p, %q : tensor<64x64xf32>, tensor<64x64xf32>
}

//--- returned.mlir
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %x = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%f, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %p, %f : tensor<64x64xf32>, tensor<64x64xf32>
}

//--- given.mlir
func.func @f(%b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %x = arith.constant 0.0 : f32
  %e = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<64x64xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %f : tensor<64x64xf32>
}

//--- read.mlir
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %x = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%f, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %buffer, %ops = transform.structured.bufferize_to_allocation %fill {memory_space = #gpu.address_space<workgroup>, bufferize_destination_only} : !transform.any_op
    %done = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true, allow_return_allocs_from_loops = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- bufferize.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %done = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true, allow_return_allocs_from_loops = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
