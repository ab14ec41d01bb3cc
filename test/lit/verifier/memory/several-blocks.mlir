// Bufferization goes through functions of several blocks, as long as none has tensors at its
// boundary; of those, a trial tells whether it fails.
// RUN: split-file %s %t
// RUN: formwork check %t/inside.mlir --transform=%t/schedule.mlir --strict 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: formwork apply %t/inside.mlir --transform=%t/schedule.mlir --validate -o %t.out
// RUN: sed "s/one_shot_bufferize %f/one_shot_bufferize %f {allow_return_allocs_from_loops = true}/" %t/schedule.mlir > %t/allocs.mlir
// RUN: formwork check %t/inside.mlir --transform=%t/allocs.mlir --strict 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: formwork apply %t/inside.mlir --transform=%t/allocs.mlir --validate -o %t.out
// RUN: formwork check %t/boundary.mlir --transform=%t/boundaries.mlir --strict 2>&1 | FileCheck %s --check-prefix=BOUNDARY

// INSIDE: : proved: 0 errors
// BOUNDARY: : proved: 0 errors

//--- inside.mlir
func.func @f(%c: i1, %x: f32, %m: memref<8xf32>) {
  cf.cond_br %c, ^one, ^two
^one:
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %zero = arith.constant 0 : index
  %1 = tensor.extract %0[%zero] : tensor<8xf32>
  memref.store %1, %m[%zero] : memref<8xf32>
  cf.br ^two
^two:
  return
}

//--- boundary.mlir
func.func @f(%c: i1, %x: f32, %t: tensor<8xf32>) -> tensor<8xf32> {
  cf.cond_br %c, ^one, ^two
^one:
  cf.br ^two
^two:
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %b = transform.bufferization.one_shot_bufferize %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- boundaries.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %b = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
