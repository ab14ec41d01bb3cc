// The buffer that is allocated for an op in a loop is not the one that the loop was given: unless
// it is read beside (as in staged-matmul.test), the loop may yield it, as here, where the slice
// that it was put into is all there is and folds away. Upstream refuses to bufferize that.
// RUN: split-file %s %t
// RUN: not formwork apply %t/payload.mlir --transform=%t/yielded.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: formwork check %t/payload.mlir --transform=%t/yielded.mlir 2>&1 | FileCheck %s

// FAILS: Yield operand #0 is not equivalent to the corresponding iter bbArg
// CHECK: may fail to bufferize: a loop may yield the buffer that was allocated for an op in it
// CHECK-NOT: : proved

//--- payload.mlir
func.func @matmul(%a: tensor<128x64xf32>, %b: tensor<64x96xf32>, %c: tensor<128x96xf32>) -> tensor<128x96xf32> {
  %matmul = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x96xf32>) outs(%c : tensor<128x96xf32>) -> tensor<128x96xf32>
  return %matmul : tensor<128x96xf32>
}

//--- yielded.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [0, 0, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %buffer, %ops = transform.structured.bufferize_to_allocation %tiled {bufferize_destination_only} : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %done = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
