// Patterns and bufferization change what ops below the target compute: an access through an
// expanded shape, and a map that reads a constant destination. Those that are right are not named.
// RUN: split-file %s %t && cd %t
// RUN: formwork check read.mlir --transform=fold.mlir --static 2>&1 | FileCheck %s --check-prefix=READ
// READ: fold.mlir:4:5: warning: changes what 'vector.transfer_read' computes: the dimensions of its vector are folded as if they were not expanded [fw-step-miscompiles]
// READ: read.mlir:5:8: note: the op
// RUN: sed 's/vector.transfer_read %%e\[\(.*\)\], %%z {.*} :/vector.load %%e[\1] :/' read.mlir > load.mlir
// RUN: formwork check load.mlir --transform=fold.mlir --static 2>&1 | FileCheck %s --check-prefix=LOAD
// LOAD: changes what 'vector.load' computes
// An execution shows it; a load of two dimensions is not executed.
// RUN: not formwork run read.mlir --transform=fold.mlir --after-each-step 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: error: {{.*}} [fw-step-miscompiles]

// One dimension, dimensions of size 1, and dimensions that are the last of their group.
// RUN: sed 's/vector<2x2xf32>/vector<1x2xf32>/g' read.mlir > row.mlir
// RUN: formwork check row.mlir --transform=fold.mlir --static 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: formwork check last.mlir --transform=fold.mlir --static 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: formwork check read.mlir --transform=others.mlir --static 2>&1 | FileCheck %s --check-prefix=RIGHT
// RIGHT-NOT: fw-step-miscompiles
// RIGHT: 2 steps
// RUN: formwork run last.mlir --transform=fold.mlir --after-each-step 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: 1 executed, 1 the same

// RUN: formwork check constant.mlir --transform=bufferize.mlir --static 2>&1 | FileCheck %s --check-prefix=MAP
// MAP: bufferize.mlir:3:16: warning: changes what 'linalg.map' computes: its body reads its destination, which is not copied to its new buffer [fw-step-miscompiles]
// A destination of its own is written in place, and one that is not read needs no elements.
// RUN: formwork check argument.mlir --transform=bufferize.mlir --static 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: sed 's/addf %%x, %%out/addf %%x, %%x/' constant.mlir > unread.mlir
// RUN: formwork check unread.mlir --transform=bufferize.mlir --static 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT-NOT: fw-step-miscompiles
// KEPT: 1 step

//--- read.mlir
func.func @f(%m: memref<8x8x9xf32>, %to: memref<2x2xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = memref.expand_shape %m [[0], [1], [2, 3]] output_shape [8, 8, 3, 3] : memref<8x8x9xf32> into memref<8x8x3x3xf32>
  %v = vector.transfer_read %e[%c0, %i, %c0, %c0], %z {in_bounds = [true, true]} : memref<8x8x3x3xf32>, vector<2x2xf32>
  vector.transfer_write %v, %to[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, memref<2x2xf32>
  return
}

//--- last.mlir
func.func @f(%m: memref<8x8xf32>, %to: memref<2x2xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 4, 8] : memref<8x8xf32> into memref<2x4x8xf32>
  %v = vector.transfer_read %e[%c0, %c0, %c0], %z {in_bounds = [true, true]} : memref<2x4x8xf32>, vector<2x2xf32>
  vector.transfer_write %v, %to[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, memref<2x2xf32>
  return
}

//--- fold.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func { transform.apply_patterns.memref.fold_memref_alias_ops } : !transform.any_op
    transform.yield
  }
}

//--- others.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func { transform.apply_patterns.canonicalization } : !transform.any_op
    transform.yield
  }
}

//--- constant.mlir
func.func @f(%in: tensor<4xf32>) -> tensor<4xf32> {
  %init = arith.constant dense<11.0> : tensor<4xf32>
  %r = linalg.map ins(%in : tensor<4xf32>) outs(%init : tensor<4xf32>)
    (%x: f32, %out: f32) {
      %s = arith.addf %x, %out : f32
      linalg.yield %s : f32
    }
  return %r : tensor<4xf32>
}

//--- argument.mlir
func.func @f(%in: tensor<4xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.map ins(%in : tensor<4xf32>) outs(%init : tensor<4xf32>)
    (%x: f32, %out: f32) {
      %s = arith.addf %x, %out : f32
      linalg.yield %s : f32
    }
  return %r : tensor<4xf32>
}

//--- bufferize.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
