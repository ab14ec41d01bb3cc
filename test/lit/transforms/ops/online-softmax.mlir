// A product and the softmax that it reads, in one loop over pieces of the sum.
// RUN: formwork-opt %s --transform-interpreter --split-input-file | FileCheck %s

// As a whole; the last piece is shorter, and what was there before is added.
// CHECK-LABEL: func @whole
// CHECK: %[[LOWEST:.+]] = arith.constant -3.40282347E+38 : f32
// CHECK: %[[END:.+]] = arith.constant 10 : index
// CHECK: %[[STEP:.+]] = arith.constant 4 : index
// CHECK: %[[ALL:.+]]:3 = scf.for %[[AT:[a-z0-9]+]] = %{{.+}} to %[[END]] step %[[STEP]]
// CHECK:   %[[FROM:.+]] = affine.min {{.*}}(%[[AT]])
// CHECK:   %[[PIECE:.+]] = tensor.extract_slice %arg0[0, %[[FROM]]] [8, 4]
// CHECK:   affine.apply {{.*}}(%[[FROM]], %[[AT]])
// CHECK:   linalg.generic {{.*}} ins(%[[PIECE]]
// CHECK:   linalg.index 1
// CHECK:   arith.cmpi sge
// CHECK:   arith.select
// CHECK:   arith.maxnumf
// CHECK:   math.exp
// CHECK:   math.exp
// CHECK:   arith.addf
// CHECK:   %[[V:.+]] = tensor.extract_slice %arg2[%[[FROM]], 0] [4, 4]
// CHECK:   linalg.matmul ins(%{{.+}}, %[[V]]
// CHECK: arith.divf
// CHECK: linalg.generic {{.*}} outs(%arg3
// CHECK:   arith.addf
func.func @whole(%x: tensor<8x10xf32>, %y: tensor<8x10xf32>, %v: tensor<10x4xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x10xf32>) outs(%y : tensor<8x10xf32>) -> tensor<8x10xf32>
  %r = linalg.matmul ins(%p, %v : tensor<8x10xf32>, tensor<10x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %four = transform.param.constant 4 : i64 -> !transform.param<i64>
    %p, %l = transform.formwork.online_softmax %op step = [%four] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A tile of a batch, with a cast between; the second factor is the softmax. The
// result begins at zero, so nothing is added.
// CHECK-LABEL: func @tile
// CHECK: scf.forall (%[[B:[a-z0-9]+]], %[[I:[a-z0-9]+]]) in (3, 2) shared_outs
// CHECK:   scf.for %[[AT:[a-z0-9]+]] =
// CHECK-NOT: affine.min
// CHECK:     %[[ROW:.+]] = affine.apply {{.*}}(%[[I]])
// CHECK:     tensor.extract_slice %arg0[%[[B]], %[[AT]], %[[ROW]]] [1, 8, 4]
// CHECK:     arith.truncf
// CHECK:     linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction", "parallel"]
// CHECK:     scf.yield
// CHECK:   arith.divf
// CHECK-NOT: arith.addf
// CHECK: return
#v = affine_map<(b, m, k, n) -> (b, m, k)>
#p = affine_map<(b, m, k, n) -> (b, k, n)>
#o = affine_map<(b, m, k, n) -> (b, m, n)>
#id = affine_map<(a, b, c) -> (a, b, c)>
func.func @tile(%x: tensor<3x16x8xf32>, %y: tensor<3x16x8xf32>, %h: tensor<3x16x8xf16>, %v: tensor<3x4x16xf16>, %o: tensor<3x4x8xf32>) -> tensor<3x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x16x8xf32>) outs(%y : tensor<3x16x8xf32>) -> tensor<3x16x8xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<3x16x8xf32>) outs(%h : tensor<3x16x8xf16>) {
  ^bb0(%a: f32, %b: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<3x16x8xf16>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4x8xf32>) -> tensor<3x4x8xf32>
  %r = linalg.generic {indexing_maps = [#v, #p, #o], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%v, %c : tensor<3x4x16xf16>, tensor<3x16x8xf16>) outs(%f : tensor<3x4x8xf32>) attrs = {product} {
  ^bb0(%a: f16, %b: f16, %s: f32):
    %l = arith.extf %a : f16 to f32
    %m = arith.extf %b : f16 to f32
    %n = arith.mulf %l, %m : f32
    %t = arith.addf %s, %n : f32
    linalg.yield %t : f32
  } -> tensor<3x4x8xf32>
  return %r : tensor<3x4x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match attributes {product} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [1, 0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %p, %l = transform.formwork.online_softmax %tile step = [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
