// A loop that carries a tile gives way to one that carries a vector, and a tile that is read
// along fewer dimensions is sliced.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-2: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

func.func @kept(%a: tensor<64x16xf16>, %b: tensor<16x8xf16>, %o: tensor<64x8xf32>, %n: index) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %m = affine.min affine_map<()[s0] -> (4, 64 - s0)>()[%n]
  %empty = tensor.empty(%m) : tensor<?x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x8xf32>) -> tensor<?x8xf32>
  %c = scf.for %k = %c0 to %c16 step %c4 iter_args(%acc = %init) -> (tensor<?x8xf32>) {
    %ta = tensor.extract_slice %a[%n, %k] [%m, 4] [1, 1] : tensor<64x16xf16> to tensor<?x4xf16>
    %tb = tensor.extract_slice %b[%k, 0] [4, 8] [1, 1] : tensor<16x8xf16> to tensor<4x8xf16>
    %tc = tensor.extract_slice %acc[0, 0] [%m, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
    %r = linalg.matmul ins(%ta, %tb : tensor<?x4xf16>, tensor<4x8xf16>) outs(%tc : tensor<?x8xf32>) -> tensor<?x8xf32>
    %i = tensor.insert_slice %r into %acc[0, 0] [%m, 8] [1, 1] : tensor<?x8xf32> into tensor<?x8xf32>
    scf.yield %i : tensor<?x8xf32>
  }
  %to = tensor.extract_slice %o[%n, 0] [%m, 8] [1, 1] : tensor<64x8xf32> to tensor<?x8xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<?x8xf32>) outs(%to : tensor<?x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  } -> tensor<?x8xf32>
  return %d : tensor<?x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %product = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %epilogue = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %fill sizes = [4, 8] : (!transform.any_op) -> ()
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %product sizes = [4, 8, 4] : (!transform.any_op) -> ()
    transform.annotate %loop "followed" : !transform.any_op
    transform.formwork.vectorize_tiles %epilogue sizes = [4, 8] : (!transform.any_op) -> ()
    transform.yield
  }
}


// -----

func.func @unfolded(%x: tensor<3x48xf32>) -> tensor<144xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c140 = arith.constant 140 : index
  %o = tensor.empty() : tensor<144xf32>
  %r = scf.for %i = %c0 to %c140 step %c16 iter_args(%all = %o) -> (tensor<144xf32>) {
    %n = affine.min affine_map<(d0) -> (16, 140 - d0)>(%i)
    %p = affine.apply affine_map<(d0) -> (d0 floordiv 48)>(%i)
    %q = affine.apply affine_map<(d0) -> (d0 mod 48)>(%i)
    %from = tensor.extract_slice %x[%p, %q] [1, %n] [1, 1] : tensor<3x48xf32> to tensor<1x?xf32>
    %to = tensor.extract_slice %all[%i] [%n] [1] : tensor<144xf32> to tensor<?xf32>
    %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 48, i mod 48)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%from : tensor<1x?xf32>) outs(%to : tensor<?xf32>) {
    ^bb0(%v: f32, %acc: f32):
      linalg.yield %v : f32
    } -> tensor<?xf32>
    %s = tensor.insert_slice %t into %all[%i] [%n] [1] : tensor<?xf32> into tensor<144xf32>
    scf.yield %s : tensor<144xf32>
  }
  return %r : tensor<144xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %op sizes = [16] : (!transform.any_op) -> ()
    transform.yield
  }
}

