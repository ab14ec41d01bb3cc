// A producer is fused once for each of its uses in the loop.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-2: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

// The loop itself is one.
func.func @shared(%a: tensor<4x4xi32>, %b: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %p = linalg.add ins(%a, %b : tensor<4x4xi32>, tensor<4x4xi32>) outs(%a : tensor<4x4xi32>) -> tensor<4x4xi32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %p) -> (tensor<4x4xi32>) {
    %s = tensor.extract_slice %p[%i, 0] [1, 4] [1, 1] : tensor<4x4xi32> to tensor<1x4xi32>
    %t = tensor.extract_slice %o[%i, 0] [1, 4] [1, 1] : tensor<4x4xi32> to tensor<1x4xi32>
    %u = linalg.mul ins(%s, %s : tensor<1x4xi32>, tensor<1x4xi32>) outs(%t : tensor<1x4xi32>) -> tensor<1x4xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%i, 0] [1, 4] [1, 1] : tensor<1x4xi32> into tensor<4x4xi32>
    }
  }
  return %r : tensor<4x4xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %forall = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    %fused, %loop = transform.structured.fuse_into_containing_op %add into %forall : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %slices = transform.structured.match ops{["tensor.extract_slice"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// An op that asks for the sizes of a dynamic one is another.
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %x: f32) -> tensor<?x?xf32> {
  %p = linalg.exp ins(%a : tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = linalg.matmul ins(%p, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.exp ins(%m : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exps = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %last = transform.split_handle %exps : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %forall = transform.structured.tile_using_forall %last tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %loop = transform.structured.fuse_into_containing_op %matmul into %forall : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %again, %same = transform.structured.fuse_into_containing_op %first into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
