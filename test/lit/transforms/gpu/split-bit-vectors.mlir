// RUN: formwork-opt %s --formwork-split-bit-vectors --split-input-file | FileCheck %s
// RUN: formwork-opt %s --formwork-split-bit-vectors --formwork-split-bit-vectors --split-input-file | FileCheck %s

// CHECK-LABEL: func @load
// CHECK-SAME: %[[M:.*]]: memref<4x64xi1>, %[[I:.*]]: index
func.func @load(%m: memref<4x64xi1>, %i: index) -> vector<2xi1> {
  // CHECK: %[[E0:.*]] = memref.load %[[M]][%[[I]], %[[I]]]
  // CHECK: %[[V0:.*]] = vector.insert %[[E0]], %{{.*}} [0] : i1 into vector<2xi1>
  // CHECK: %[[I1:.*]] = arith.addi %[[I]], %{{.*}} : index
  // CHECK: %[[E1:.*]] = memref.load %[[M]][%[[I]], %[[I1]]]
  // CHECK: vector.insert %[[E1]], %[[V0]] [1]
  // CHECK-NOT: vector.load
  %v = vector.load %m[%i, %i] : memref<4x64xi1>, vector<2xi1>
  return %v : vector<2xi1>
}

// -----

// CHECK-LABEL: func @store
func.func @store(%m: memref<64xi4>, %i: index, %v: vector<2xi4>) {
  // CHECK-COUNT-2: memref.store %{{.*}} : memref<64xi4>
  // CHECK-NOT: store
  vector.store %v, %m[%i] : memref<64xi4>, vector<2xi4>
  return
}

// -----

// CHECK-LABEL: func @masked
// CHECK-SAME: %[[MASK:[a-z0-9]*]]: vector<2xi1>
func.func @masked(%mask: vector<2xi1>, %m: memref<64xi1>, %i: index, %v: vector<2xi1>) -> vector<2xi1> {
  // CHECK: %[[C0:.*]] = vector.extract %[[MASK]][0]
  // CHECK: scf.if %[[C0]] -> (vector<2xi1>)
  // CHECK: memref.load
  // CHECK: %[[C1:.*]] = vector.extract %[[MASK]][1]
  // CHECK: scf.if %[[C1]] -> (vector<2xi1>)
  // CHECK: memref.load
  %r = vector.maskedload %m[%i], %mask, %v : memref<64xi1>, vector<2xi1>, vector<2xi1> into vector<2xi1>
  // CHECK-COUNT-2: memref.store
  vector.maskedstore %m[%i], %mask, %v : memref<64xi1>, vector<2xi1>, vector<2xi1>
  return %r : vector<2xi1>
}

// -----

// The host lowers transfers only here.
// CHECK-LABEL: func @transfer
func.func @transfer(%m: memref<64xi1>, %i: index, %p: i1) -> vector<4xi1> {
  // CHECK-COUNT-4: memref.load
  // CHECK-NOT: vector.transfer_read
  %v = vector.transfer_read %m[%i], %p {in_bounds = [true]} : memref<64xi1>, vector<4xi1>
  return %v : vector<4xi1>
}

// -----

// Other widths lie in memory as in a vector, and a buffer of vectors has them packed.
// CHECK-LABEL: func @kept
func.func @kept(%m: memref<64xi8>, %n: memref<4xvector<8xi1>>, %i: index) -> (vector<2xi8>, vector<8xi1>) {
  // CHECK: vector.load
  %v = vector.load %m[%i] : memref<64xi8>, vector<2xi8>
  // CHECK: memref.load
  %w = memref.load %n[%i] : memref<4xvector<8xi1>>
  return %v, %w : vector<2xi8>, vector<8xi1>
}
