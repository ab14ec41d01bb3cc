// Bodies of structured ops hold calls, branches and loops, too. What a step makes of such an op has
// copies of them.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-5: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

func.func private @outside(f32) -> f32
func.func @scalarized(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%b : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = func.call @outside(%x) : (f32) -> f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %generic = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %scalar = transform.structured.scalarize %generic : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @parts(%a: tensor<12x8xf32>, %r: tensor<12xf32>) -> tensor<12xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<12x8xf32>) outs(%r : tensor<12xf32>) {
  ^bb0(%x: f32, %y: f32):
    %t = math.tanh %x : f32
    %s = arith.addf %t, %y : f32
    linalg.yield %s : f32
  } -> tensor<12xf32>
  return %0 : tensor<12xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %sum = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %init, %fill, %part, %whole = transform.structured.split_reduction %sum {split_factor = 4, insert_split_dimension = 0} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func private @outside(f32) -> f32
func.func @parts_in_a_loop(%a: tensor<12x8xf32>, %r: tensor<12xf32>) -> tensor<12xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<12x8xf32>) outs(%r : tensor<12xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = func.call @outside(%x) : (f32) -> f32
    %s = arith.addf %c, %y : f32
    linalg.yield %s : f32
  } -> tensor<12xf32>
  return %0 : tensor<12xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %sum = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill, %part, %whole, %loop = transform.structured.tile_reduction_using_for %sum by tile_sizes = [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// In strips that do not divide the length, the last is masked by the index.
func.func @softmax(%a: tensor<1x4xf32>, %b: tensor<1x4xf32>, %c: tensor<4x4xf32>, %d: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<1x4xf32>) outs(%b : tensor<1x4xf32>) -> tensor<1x4xf32>
  %1 = linalg.matmul ins(%0, %c : tensor<1x4xf32>, tensor<4x4xf32>) outs(%d : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %1 : tensor<1x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %product, %loop = transform.formwork.online_softmax %matmul step = [3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A matmul of bits has other ops in its body than the product that it is made of.
func.func @bits(%a: tensor<2x2xi1>, %b: tensor<2x2xi1>, %c: tensor<2x2xi1>) -> tensor<2x2xi1> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x2xi1>, tensor<2x2xi1>) outs(%c : tensor<2x2xi1>) {
  ^bb0(%x: i1, %y: i1, %z: i1):
    %p = arith.muli %x, %y : i1
    %s = arith.addi %z, %p : i1
    linalg.yield %s : i1
  } -> tensor<2x2xi1>
  return %0 : tensor<2x2xi1>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %generic = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.specialize %generic : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
