// RUN: formwork-opt %s --formwork-gpu-split-vectors --split-input-file | FileCheck %s
// RUN: formwork-opt %s --formwork-gpu-split-vectors --formwork-gpu-split-vectors --split-input-file | FileCheck %s

// CHECK-LABEL: func @elementwise
// CHECK-SAME: %[[V:.*]]: vector<2x4xf32>
func.func @elementwise(%v: vector<2x4xf32>) -> vector<2x4xf32> {
  // CHECK-DAG: %[[V0:.*]] = vector.extract %[[V]][0] : vector<4xf32> from vector<2x4xf32>
  // CHECK-DAG: math.exp %[[V0]] fastmath<fast> : vector<4xf32>
  // CHECK-DAG: %[[V1:.*]] = vector.extract %[[V]][1] : vector<4xf32> from vector<2x4xf32>
  // CHECK-DAG: math.exp %[[V1]] fastmath<fast> : vector<4xf32>
  // CHECK-NOT: math.exp {{.*}} : vector<2x4xf32>
  %e = math.exp %v fastmath<fast> : vector<2x4xf32>
  return %e : vector<2x4xf32>
}

// -----

// The condition of a select may be a scalar, which all rows share.
// CHECK-LABEL: func @select
// CHECK-SAME: %[[C:[a-z0-9]*]]: i1
func.func @select(%c: i1, %a: vector<2x2x4xi32>, %b: vector<2x2x4xi32>) -> vector<2x2x4xi32> {
  // CHECK-COUNT-4: arith.select %[[C]], %{{.*}}, %{{.*}} : vector<4xi32>
  // CHECK-NOT: arith.select
  %r = arith.select %c, %a, %b : vector<2x2x4xi32>
  return %r : vector<2x2x4xi32>
}

// -----

// CHECK-LABEL: func @slices
func.func @slices(%v: vector<4x4xf32>, %w: vector<2x2xf32>) -> vector<4x4xf32> {
  // CHECK-NOT: strided_slice
  %s = vector.extract_strided_slice %v {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
  %t = arith.addf %s, %w : vector<2x2xf32>
  %r = vector.insert_strided_slice %t, %v {offsets = [0, 2], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
  // CHECK: return
  return %r : vector<4x4xf32>
}

// -----

// CHECK-LABEL: func @elements
func.func @elements(%v: vector<2x2xf32>) -> vector<2x2xf32> {
  // CHECK-NOT: {{(to|from)}}_elements {{.*}}2x2
  %e:4 = vector.to_elements %v : vector<2x2xf32>
  %r = vector.from_elements %e#3, %e#2, %e#1, %e#0 : vector<2x2xf32>
  // CHECK: return
  return %r : vector<2x2xf32>
}

// -----

// A row is what the conversion takes.
// CHECK-LABEL: func @row
func.func @row(%v: vector<4xf32>) -> vector<4xf32> {
  // CHECK-NEXT: math.exp {{.*}} : vector<4xf32>
  %e = math.exp %v : vector<4xf32>
  // CHECK-NEXT: return
  return %e : vector<4xf32>
}
