// The bodies of ops that a step makes of others.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-5: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

// An op that is bufferized by itself has a body as before.
func.func @allocated(%a: tensor<12x6xf32>, %b: tensor<12x6xf32>) -> tensor<12x6xf32> {
  %e = linalg.exp ins(%a : tensor<12x6xf32>) outs(%b : tensor<12x6xf32>) -> tensor<12x6xf32>
  %g = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<12x6xf32>) outs(%b : tensor<12x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %in : f32
    linalg.yield %m : f32
  } -> tensor<12x6xf32>
  return %g : tensor<12x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %generic = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %buffer, %new = transform.structured.bufferize_to_allocation %generic : !transform.any_op
    %max = transform.structured.match ops{["arith.maximumf"]} in %root : (!transform.any_op) -> !transform.any_op
    %yields = transform.structured.match ops{["linalg.yield"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// So has one that is decomposed.
func.func @decomposed(%x: tensor<1x1x8x4xf32>, %k: tensor<1x3x4x2xf32>, %o: tensor<1x1x6x2xf32>) -> tensor<1x1x6x2xf32> {
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<1x1x8x4xf32>, tensor<1x3x4x2xf32>) outs(%o : tensor<1x1x6x2xf32>) -> tensor<1x1x6x2xf32>
  return %c : tensor<1x1x6x2xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %row = transform.structured.decompose %conv : (!transform.any_op) -> !transform.any_op
    %mul = transform.structured.match ops{["arith.mulf"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A pad becomes a fill, whose body ends in a linalg.yield.
func.func @destination(%a: tensor<6xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<6xf32> to tensor<8xf32>
  return %p : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %pad = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    %new = transform.structured.rewrite_in_destination_passing_style %pad : (!transform.any_op) -> !transform.any_op
    %yields = transform.structured.match ops{["linalg.yield"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Canonicalization makes a second fill of the reshape of one.
func.func @reshaped(%x: f32) -> (tensor<8x2xf32>, tensor<8x1x2xf32>) {
  %e = tensor.empty() : tensor<8x2xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8x2xf32>) -> tensor<8x2xf32>
  %r = tensor.expand_shape %f [[0, 1], [2]] output_shape [8, 1, 2] : tensor<8x2xf32> into tensor<8x1x2xf32>
  return %f, %r : tensor<8x2xf32>, tensor<8x1x2xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A loop that holds nothing is not unrolled, and stays.
func.func @empty() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {factor = 4} : !transform.any_op
    %left = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
