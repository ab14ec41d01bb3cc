// What a mask holds has to write the destination that it has: bufferization fails where that may
// not be written.
// RUN: split-file %s %t
// RUN: sed s/OPTIONS// %t/schedule.mlir > %t/read-only.mlir
// RUN: not formwork check --static %t/given.mlir --transform=%t/read-only.mlir --strict 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not mlir-opt %t/given.mlir --transform-preload-library=transform-library-paths=%t/read-only.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: sed "s/OPTIONS/{bufferize_function_boundaries = true}/" %t/schedule.mlir > %t/writable.mlir
// RUN: formwork check --static %t/given.mlir --transform=%t/writable.mlir --strict 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t/given.mlir --transform=%t/writable.mlir --validate -o %t.out
// RUN: sed "s/ vector_sizes .4, 16.//" %t/read-only.mlir > %t/unmasked.mlir
// RUN: formwork check --static %t/static.mlir --transform=%t/unmasked.mlir --strict 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t/static.mlir --transform=%t/unmasked.mlir --validate -o %t.out

// OPEN: may fail to bufferize: an op in a 'vector.mask' writes a destination that may be read-only, or read elsewhere [fw-unproved]
// STOCK: 'vector.mask' op body must bufferize in-place
// PROVED: : proved: 0 errors

//--- given.mlir
func.func @f(%a: tensor<?x16xf32>, %c: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %r = linalg.exp ins(%a : tensor<?x16xf32>) outs(%c : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

//--- static.mlir
func.func @f(%a: tensor<4x16xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %r = linalg.exp ins(%a : tensor<4x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %exp vector_sizes [4, 16] : !transform.any_op
    %buffers = transform.bufferization.one_shot_bufferize %module OPTIONS : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
