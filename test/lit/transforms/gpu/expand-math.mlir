// RUN: formwork-opt %s --formwork-gpu-expand-math | FileCheck %s
// Twice is as once.
// RUN: formwork-opt %s --formwork-gpu-expand-math -o %t.once
// RUN: formwork-opt %t.once --formwork-gpu-expand-math | diff %t.once -

// CHECK-LABEL: func.func @absi
// CHECK:         %[[ZERO:.*]] = arith.constant dense<0> : vector<4xi64>
// CHECK:         %[[N:.*]] = arith.subi %[[ZERO]], %arg0
// CHECK:         arith.maxsi %arg0, %[[N]] : vector<4xi64>
func.func @absi(%x: vector<4xi64>) -> vector<4xi64> {
  %y = math.absi %x : vector<4xi64>
  return %y : vector<4xi64>
}

// CHECK-LABEL: func.func @bits
// CHECK:         "llvm.intr.ctlz"(%arg0) <{is_zero_poison = false}> : (i32) -> i32
// CHECK:         "llvm.intr.cttz"(%arg1) <{is_zero_poison = false}> : (vector<2xi8>) -> vector<2xi8>
// CHECK:         %[[BITS:.*]] = arith.index_cast %arg2 : index to i64
// CHECK:         %[[COUNT:.*]] = llvm.intr.ctpop(%[[BITS]]) : (i64) -> i64
// CHECK:         arith.index_cast %[[COUNT]] : i64 to index
func.func @bits(%x: i32, %y: vector<2xi8>, %z: index) -> (i32, vector<2xi8>, index) {
  %a = math.ctlz %x : i32
  %b = math.cttz %y : vector<2xi8>
  %c = math.ctpop %z : index
  return %a, %b, %c : i32, vector<2xi8>, index
}

// CHECK-LABEL: func.func @trunc
// CHECK:         llvm.intr.trunc(%arg0) : (f32) -> f32
// CHECK:         %[[WIDE:.*]] = arith.extf %arg1 : vector<2xbf16> to vector<2xf32>
// CHECK:         %[[WHOLE:.*]] = llvm.intr.trunc(%[[WIDE]]) : (vector<2xf32>) -> vector<2xf32>
// CHECK:         arith.truncf %[[WHOLE]] : vector<2xf32> to vector<2xbf16>
func.func @trunc(%x: f32, %y: vector<2xbf16>) -> (f32, vector<2xbf16>) {
  %a = math.trunc %x : f32
  %b = math.trunc %y : vector<2xbf16>
  return %a, %b : f32, vector<2xbf16>
}

// A constant exponent leaves its squares and products.

// CHECK-LABEL: func.func @cube
// CHECK:         %[[SQUARE:.*]] = arith.muli %arg0, %arg0 : i32
// CHECK:         arith.muli %arg0, %[[SQUARE]] : i32
// CHECK-NOT:     math.ipowi
func.func @cube(%x: i32) -> i32 {
  %c3 = arith.constant 3 : i32
  %y = math.ipowi %x, %c3 : i32
  return %y : i32
}

// Other functions stay.

// CHECK-LABEL: func.func @exp
// CHECK:         math.exp
func.func @exp(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}
