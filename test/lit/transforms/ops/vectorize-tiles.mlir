// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// A sum of products of at most 4x8x16 steps: what may be behind the end is read as
// zero, and not written; what is full is in bounds.

// CHECK-LABEL: func @product
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[A:.*]] = vector.transfer_read %arg0[%{{.*}}], %[[ZERO]] {in_bounds = [false, true]} : tensor<3x16xf32>, vector<4x16xf32>
// CHECK: %[[B:.*]] = vector.transfer_read %arg1[%{{.*}}], %{{.*}} {in_bounds = [true, false]} : tensor<16x5xf32>, vector<16x8xf32>
// CHECK: %[[C:.*]] = vector.transfer_read %arg2[%{{.*}}], %{{.*}} : tensor<3x5xf32>, vector<4x8xf32>
// CHECK: %[[D:.*]] = vector.contract {{.*}} %[[A]], %[[B]], %[[C]] : vector<4x16xf32>, vector<16x8xf32> into vector<4x8xf32>
// CHECK: %[[R:.*]] = vector.transfer_write %[[D]], %arg2[%{{.*}}] : vector<4x8xf32>, tensor<3x5xf32>
// CHECK: return %[[R]]
func.func @product(%a: tensor<3x16xf32>, %b: tensor<16x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x16xf32>, tensor<16x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %n = transform.param.constant 8 : i64 -> !transform.param<i64>
    transform.formwork.vectorize_tiles %op sizes = [4, %n, 16] : (!transform.any_op, !transform.param<i64>) -> ()
    transform.yield
  }
}

// -----

// A dynamic size with a bound, and operands without some of the loops, or with
// them in another order.

#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#j = affine_map<(i, j) -> (j)>
#i = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @epilogue
// CHECK: vector.transfer_read {{.*}} : tensor<?x8xf32>, vector<4x8xf32>
// CHECK: %[[T:.*]] = vector.transfer_read {{.*}} : tensor<8x?xf32>, vector<8x4xf32>
// CHECK: vector.transpose %[[T]], [1, 0] : vector<8x4xf32> to vector<4x8xf32>
// CHECK: %[[J:.*]] = vector.transfer_read {{.*}} {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
// CHECK: vector.broadcast %[[J]] : vector<8xf32> to vector<4x8xf32>
// CHECK: %[[I:.*]] = vector.transfer_read {{.*}} : tensor<?xf32>, vector<4xf32>
// CHECK: %[[W:.*]] = vector.broadcast %[[I]] : vector<4xf32> to vector<8x4xf32>
// CHECK: vector.transpose %[[W]], [1, 0] : vector<8x4xf32> to vector<4x8xf32>
// CHECK: arith.maximumf {{.*}} : vector<4x8xf32>
// CHECK: vector.transfer_write {{.*}} : vector<4x8xf32>, tensor<?x8xf32>
func.func @epilogue(%x: tensor<64x8xf32>, %y: tensor<8x64xf32>, %b: tensor<8xf32>, %s: tensor<64xf32>, %o: tensor<64x8xf32>, %n: index) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %m = affine.min affine_map<()[s0] -> (4, 64 - s0)>()[%n]
  %tx = tensor.extract_slice %x[%n, 0] [%m, 8] [1, 1] : tensor<64x8xf32> to tensor<?x8xf32>
  %ty = tensor.extract_slice %y[0, %n] [8, %m] [1, 1] : tensor<8x64xf32> to tensor<8x?xf32>
  %ts = tensor.extract_slice %s[%n] [%m] [1] : tensor<64xf32> to tensor<?xf32>
  %to = tensor.extract_slice %o[%n, 0] [%m, 8] [1, 1] : tensor<64x8xf32> to tensor<?x8xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ji, #j, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%tx, %ty, %b, %ts : tensor<?x8xf32>, tensor<8x?xf32>, tensor<8xf32>, tensor<?xf32>) outs(%to : tensor<?x8xf32>) {
  ^bb0(%p: f32, %q: f32, %c: f32, %d: f32, %out: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %0, %c : f32
    %2 = arith.mulf %1, %d : f32
    %3 = arith.maximumf %2, %zero : f32
    linalg.yield %3 : f32
  } -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %op sizes = [4, 8] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// Narrow operands that are extended. The sum stays a vector: the loop carries it, what
// the fill wrote is not read back, and what the product wrote neither.

// CHECK-LABEL: func @kept
// CHECK: %[[FILL:.*]] = vector.broadcast %{{.*}} : f32 to vector<4x8xf32>
// CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%[[SUM:[a-z0-9]*]] = %[[FILL]]) -> (vector<4x8xf32>)
// CHECK-NOT: vector.transfer_read {{.*}}vector<4x8xf32>
// CHECK: %[[NEXT:.*]] = vector.contract {{.*}}, %[[SUM]] : vector<4x4xf16>, vector<4x8xf16> into vector<4x8xf32>
// CHECK-NOT: vector.transfer_write
// CHECK: scf.yield %[[NEXT]] :
// CHECK-NEXT: } {followed}
// CHECK-NOT: vector.transfer_read {{.*}}vector<4x8xf32>
// CHECK: %[[R:.*]] = arith.negf %[[LOOP]] : vector<4x8xf32>
// CHECK: vector.transfer_write %[[R]]
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

// Indices that divide a loop, in a tile that lies in one part: of 48 columns, 16 at a
// time.
// CHECK-LABEL: func @unfolded
// CHECK: %[[FROM:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] [1, %[[N:.*]]] [1, 1] : tensor<3x48xf32> to tensor<1x?xf32>
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[FROM]][0, 0] [1, %[[N]]] [1, 1] : tensor<1x?xf32> to tensor<?xf32>
// CHECK: vector.transfer_read %[[ROW]][%{{.*}}], %{{.*}} : tensor<?xf32>, vector<16xf32>
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

// -----

// A value that is written before a reshape is read behind it. A size of one between them changes no
// place.

// CHECK-LABEL: func @reshaped
// CHECK: %[[V:.*]] = vector.shape_cast %{{.*}} : vector<1x16x4xf32> to vector<16x4xf32>
// CHECK: arith.negf %[[V]] : vector<16x4xf32>
func.func @reshaped(%o: tensor<1x13x4xf32>, %p: tensor<13x4xf32>) -> tensor<13x4xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%o : tensor<1x13x4xf32>) -> tensor<1x13x4xf32>
  %c = tensor.collapse_shape %init [[0, 1], [2]] : tensor<1x13x4xf32> into tensor<13x4xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<13x4xf32>) outs(%p : tensor<13x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  } -> tensor<13x4xf32>
  return %d : tensor<13x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %fill sizes = [1, 16, 4] : (!transform.any_op) -> ()
    transform.formwork.vectorize_tiles %op sizes = [16, 4] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// A reshape of two long dimensions mixes what is behind their ends: what was written
// is read back.

// CHECK-LABEL: func @mixed
// CHECK-NOT: vector.shape_cast
// CHECK: vector.transfer_read {{.*}} : tensor<15xf32>, vector<32xf32>
func.func @mixed(%o: tensor<3x5xf32>, %p: tensor<15xf32>) -> tensor<15xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%o : tensor<3x5xf32>) -> tensor<3x5xf32>
  %c = tensor.collapse_shape %init [[0, 1]] : tensor<3x5xf32> into tensor<15xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%c : tensor<15xf32>) outs(%p : tensor<15xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  } -> tensor<15xf32>
  return %d : tensor<15xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %fill sizes = [4, 8] : (!transform.any_op) -> ()
    transform.formwork.vectorize_tiles %op sizes = [32] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// A reduction may reach behind the end; 0 is the number of steps of the loop.

// CHECK-LABEL: func @largest
// CHECK: %[[X:.*]] = vector.transfer_read {{.*}} {in_bounds = [false, true]} : tensor<3x7xf16>, vector<4x7xf16>
// CHECK: %[[E:.*]] = arith.extf %[[X]] : vector<4x7xf16> to vector<4x7xf32>
// CHECK: %[[O:.*]] = vector.transfer_read {{.*}} : tensor<3xf32>, vector<4xf32>
// CHECK: %[[M:.*]] = vector.multi_reduction <maximumf>, %[[E]], %[[O]] [1] : vector<4x7xf32> to vector<4xf32>
// CHECK: vector.transfer_write %[[M]], {{.*}} : vector<4xf32>, tensor<3xf32>
func.func @largest(%x: tensor<3x7xf16>, %o: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x7xf16>) outs(%o : tensor<3xf32>) {
  ^bb0(%v: f16, %acc: f32):
    %e = arith.extf %v : f16 to f32
    %s = arith.maximumf %e, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %op sizes = [4, 0] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// Behind the end of what is reduced is the neutral element. Two results share what
// the body computes.

#row = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @moments
// CHECK: %[[X:.*]] = vector.transfer_read %arg0[{{.*}} : tensor<3x7xf32>, vector<4x8xf32>
// CHECK: %[[Q:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[IN:.*]] = vector.create_mask %{{.*}}, %c7{{.*}} : vector<4x8xi1>
// CHECK: %[[V:.*]] = arith.select %[[IN]], %[[X]], %{{.*}} : vector<4x8xi1>, vector<4x8xf32>
// CHECK: vector.multi_reduction <add>, %[[V]], {{.*}} [1]
// CHECK: %[[W:.*]] = arith.select %[[IN]], %[[Q]], %{{.*}} : vector<4x8xi1>, vector<4x8xf32>
// CHECK: vector.multi_reduction <maximumf>, %[[W]], {{.*}} [1]
// CHECK-COUNT-2: vector.transfer_write {{.*}} : vector<4xf32>, tensor<3xf32>
func.func @moments(%x: tensor<3x7xf32>, %o: tensor<3xf32>, %p: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %r:2 = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x7xf32>) outs(%o, %p : tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%v: f32, %sum: f32, %most: f32):
    %q = arith.mulf %v, %v : f32
    %s = arith.addf %v, %sum : f32
    %m = arith.maximumf %q, %most : f32
    linalg.yield %s, %m : f32, f32
  } -> (tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %op sizes = [4, 8] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// The place of the largest element: first the element, then the first place that has
// it; the place is what the body makes of the index.

#row = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @argmax
// CHECK: %[[X:.*]] = vector.transfer_read %arg0[
// CHECK: %[[B:.*]] = vector.transfer_read %arg1[
// CHECK: %[[A:.*]] = vector.transfer_read %arg2[
// CHECK: %[[M:.*]] = vector.multi_reduction <maxnumf>, %[[X]], %{{.*}} [1] : vector<4x8xf32> to vector<4xf32>
// CHECK: %[[W:.*]] = arith.cmpf oeq, %[[X]], %{{.*}} : vector<4x8xf32>
// CHECK: %[[P:.*]] = arith.select %[[W]], %{{.*}} : vector<4x8xi1>, vector<4x8xi32>
// CHECK: %[[F:.*]] = vector.multi_reduction <minsi>, %[[P]], %{{.*}} [1] : vector<4x8xi32> to vector<4xi32>
// CHECK: %[[I:.*]] = arith.index_cast %[[F]] : vector<4xi32> to vector<4xindex>
// CHECK: %[[J:.*]] = arith.index_cast %[[I]] : vector<4xindex> to vector<4xi64>
// CHECK: %[[C:.*]] = arith.cmpf ogt, %[[M]], %[[B]] : vector<4xf32>
// CHECK: arith.select %[[C]], %[[M]], %[[B]] : vector<4xi1>, vector<4xf32>
// CHECK: arith.select %[[C]], %[[J]], %[[A]] : vector<4xi1>, vector<4xi64>
func.func @argmax(%x: tensor<4x8xf32>, %o: tensor<4xf32>, %p: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %r:2 = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%o, %p : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%v: f32, %best: f32, %at: i64):
    %j = linalg.index 1 : index
    %place = arith.index_cast %j : index to i64
    %more = arith.cmpf ogt, %v, %best : f32
    %b = arith.select %more, %v, %best : f32
    %a = arith.select %more, %place, %at : i64
    linalg.yield %b, %a : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %op sizes = [4, 8] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// One place of a window: the image is read from there on, with its stride. Without
// the loops over the window, a pooling is element by element.

// CHECK-LABEL: func @pooling
// CHECK: %[[S:.*]] = tensor.extract_slice %arg0[0, 0, 0] [1, 3, 8] [1, 2, 1] : tensor<1x5x8xf32> to tensor<1x3x8xf32>
// CHECK: %[[X:.*]] = vector.transfer_read %[[S]][{{.*}} : tensor<1x3x8xf32>, vector<1x4x8xf32>
// CHECK: %[[O:.*]] = vector.transfer_read %arg1[{{.*}} : tensor<1x3x8xf32>, vector<1x4x8xf32>
// CHECK: arith.maximumf %[[O]], %[[X]] : vector<1x4x8xf32>
func.func @pooling(%x: tensor<1x5x8xf32>, %o: tensor<1x3x8xf32>) -> tensor<1x3x8xf32> {
  %w = tensor.empty() : tensor<1xf32>
  %r = linalg.pooling_nwc_max {strides = dense<2> : tensor<1xi64>} ins(%x, %w : tensor<1x5x8xf32>, tensor<1xf32>) outs(%o : tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
  return %r : tensor<1x3x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.pooling_nwc_max"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %op sizes = [1, 4, 8, 1] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// A convolution is a product then. Of its dimensions with one element, the group
// stays, and the window goes.

// CHECK-LABEL: func @grouped
// CHECK: %[[I:.*]] = tensor.extract_slice %arg0[0, 0, 0, 0, 0] [1, 1, 8, 2, 4] [1, 1, 1, 1, 1] : tensor<1x1x8x2x4xi8> to tensor<1x1x8x2x4xi8>
// CHECK: %[[F:.*]] = tensor.extract_slice %arg1[0, 0, 0, 0, 0] [1, 16, 8, 1, 1] [1, 1, 1, 1, 1] : tensor<1x16x8x1x1xi8> to tensor<1x16x8xi8>
// CHECK: %[[A:.*]] = vector.transfer_read %[[I]]
// CHECK: %[[B:.*]] = vector.transfer_read %[[F]]
// CHECK: vector.contract {{.*}} %[[A]], %[[B]], %{{.*}} : vector<1x1x8x2x4xi8>, vector<1x16x8xi8> into vector<1x1x16x2x4xi32>
func.func @grouped(%x: tensor<1x1x8x2x4xi8>, %w: tensor<1x16x8x1x1xi8>, %o: tensor<1x1x16x2x4xi32>) -> tensor<1x1x16x2x4xi32> {
  %r = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x1x8x2x4xi8>, tensor<1x16x8x1x1xi8>) outs(%o : tensor<1x1x16x2x4xi32>) -> tensor<1x1x16x2x4xi32>
  return %r : tensor<1x1x16x2x4xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.conv_2d_ngchw_gfchw"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %op sizes = [1, 1, 16, 2, 4, 8, 1, 1] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// A loop carries vectors of what all its steps make anew, not only of sums. Without
// sizes, each loop has its largest number of steps.

// CHECK-LABEL: func @running
// CHECK: %[[INIT:.*]] = tensor.extract_slice %arg1
// CHECK: %[[FIRST:.*]] = vector.transfer_read %[[INIT]][{{.*}} : tensor<?xf32>, vector<4xf32>
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[M:.*]] = %[[FIRST]]) -> (vector<4xf32>)
// CHECK: %[[X:.*]] = vector.transfer_read {{.*}} : tensor<?xf32>, vector<4xf32>
// CHECK: %[[N:.*]] = arith.maximumf %[[M]], %[[X]] : vector<4xf32>
// CHECK: scf.yield %[[N]] : vector<4xf32>
// CHECK: vector.transfer_write %[[R]], %[[INIT]]
#id = affine_map<(i) -> (i)>
func.func @running(%x: tensor<8x61xf32>, %first: tensor<?xf32>, %at: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = affine.min affine_map<()[s0] -> (4, 61 - s0)>()[%at]
  %init = tensor.extract_slice %first[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%largest = %init) -> (tensor<?xf32>) {
    %row = tensor.extract_slice %x[%i, %at] [1, %n] [1, 1] : tensor<8x61xf32> to tensor<?xf32>
    %e = tensor.empty(%n) : tensor<?xf32>
    %next = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%largest, %row : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.maximumf %a, %b : f32
      linalg.yield %m : f32
    } -> tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %op sizes = [] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// Integers without a sign are extended in front of the product.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func @unsigned
// CHECK: %[[A:.*]] = arith.extui %{{.*}} : vector<4x8xi8> to vector<4x8xi32>
// CHECK: %[[B:.*]] = arith.extui %{{.*}} : vector<8x2xi8> to vector<8x2xi32>
// CHECK: vector.contract {{.*}} %[[A]], %[[B]]
func.func @unsigned(%a: tensor<4x8xi8>, %b: tensor<8x2xi8>, %c: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<4x8xi8>, tensor<8x2xi8>) outs(%c : tensor<4x2xi32>) -> tensor<4x2xi32>
  return %r : tensor<4x2xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %op sizes = [4, 2, 8] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// The steps of a tile that threads share, however many its block has: at most four,
// and none for the last threads.

// CHECK-LABEL: func @share
// CHECK: vector.transfer_read {{.*}} : tensor<?xf32>, vector<4xf32>
func.func @share(%x: tensor<61xf32>, %o: tensor<61xf32>) -> tensor<61xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c61 = arith.constant 61 : index
  %r = scf.for %b = %c0 to %c61 step %c16 iter_args(%block = %o) -> (tensor<61xf32>) {
    %rows = affine.min affine_map<(d0) -> (16, 61 - d0)>(%b)
    %s = scf.for %t = %c0 to %c16 step %c1 iter_args(%all = %block) -> (tensor<61xf32>) {
      %rest = affine.min affine_map<(d0)[s0] -> (s0 - d0 * (s0 ceildiv 4), s0 ceildiv 4)>(%t)[%rows]
      %n = affine.max affine_map<(d0) -> (0, d0)>(%rest)
      %at = affine.apply affine_map<(d0, d1)[s0] -> (d1 + d0 * (s0 ceildiv 4))>(%t, %b)[%rows]
      %from = tensor.extract_slice %x[%at] [%n] [1] : tensor<61xf32> to tensor<?xf32>
      %to = tensor.extract_slice %all[%at] [%n] [1] : tensor<61xf32> to tensor<?xf32>
      %e = linalg.exp ins(%from : tensor<?xf32>) outs(%to : tensor<?xf32>) -> tensor<?xf32>
      %i = tensor.insert_slice %e into %all[%at] [%n] [1] : tensor<?xf32> into tensor<61xf32>
      scf.yield %i : tensor<61xf32>
    }
    scf.yield %s : tensor<61xf32>
  }
  return %r : tensor<61xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.formwork.vectorize_tiles %op sizes = [0] : (!transform.any_op) -> ()
    transform.yield
  }
}
