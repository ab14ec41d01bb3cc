// A tensor of vectors: upstream vectorizes the unpack to IR that does not verify.

// RUN: %formwork check --static %s 2>&1 | FileCheck %s
// CHECK: element:vector
// CHECK: unproved: 0 errors

module {
  func.func @f(%arg0: tensor<8x8xvector<4xf32>>, %arg1: tensor<4x4x2x2xvector<4xf32>>, %arg2: tensor<8x8xvector<4xf32>>, %arg3: tensor<4x4x2x2xvector<4xf32>>) -> tensor<8x8xvector<4xf32>> {
    %unpack = linalg.unpack %arg3 inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %arg2 : tensor<4x4x2x2xvector<4xf32>> -> tensor<8x8xvector<4xf32>>
    return %unpack : tensor<8x8xvector<4xf32>>
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @part(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.vectorize_children_and_apply_patterns %0 : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    transform.include @part failures(propagate) (%arg0) : (!transform.any_op) -> ()
    transform.yield 
  }
}
}
