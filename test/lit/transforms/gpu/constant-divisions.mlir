// RUN: formwork-opt %s --pass-pipeline='builtin.module(gpu.module(formwork-gpu-constant-divisions))' | FileCheck %s
// Twice is as once.
// RUN: formwork-opt %s --pass-pipeline='builtin.module(gpu.module(formwork-gpu-constant-divisions))' -o %t.once
// RUN: formwork-opt %t.once --pass-pipeline='builtin.module(gpu.module(formwork-gpu-constant-divisions))' | diff %t.once -

gpu.module @fast [#nvvm.target<chip = "sm_80">] {
  // CHECK-LABEL: gpu.func @third
  // CHECK:         %[[X:.*]] = arith.extf %arg0 : f32 to f64
  // CHECK:         %[[LOW:.*]] = arith.constant 1.8503717077085941E-17 : f64
  // CHECK:         %[[REST:.*]] = arith.mulf %[[X]], %[[LOW]] : f64
  // CHECK:         %[[HIGH:.*]] = arith.constant 0.33333333333333331 : f64
  // CHECK:         %[[Q:.*]] = llvm.intr.fma(%[[X]], %[[HIGH]], %[[REST]]) : (f64, f64, f64) -> f64
  // CHECK:         %[[R:.*]] = arith.truncf %[[Q]] : f64 to f32
  // CHECK:         memref.store %[[R]]
  gpu.func @third(%x: f32, %m: memref<f32>) kernel {
    %c = arith.constant 3.0 : f32
    %q = arith.divf %x, %c : f32
    memref.store %q, %m[] : memref<f32>
    gpu.return
  }

  // The low part has the sign of the divisor: -0 stays -0, and infinity infinity.
  // CHECK-LABEL: gpu.func @negative
  // CHECK:         arith.constant -{{[0-9.]+}}E-1{{[0-9]}} : f64
  // CHECK:         arith.constant -0.{{[0-9]+}} : f64
  // CHECK-NOT:     arith.divf
  gpu.func @negative(%x: f32, %m: memref<f32>) kernel {
    %c = arith.constant -7.0 : f32
    %q = arith.divf %x, %c : f32
    memref.store %q, %m[] : memref<f32>
    gpu.return
  }

  // A sum of a row.
  // CHECK-LABEL: gpu.func @row
  // CHECK:         arith.constant dense<{{.*}}> : vector<1xf64>
  // CHECK:         llvm.intr.fma({{.*}}) : (vector<1xf64>, vector<1xf64>, vector<1xf64>) -> vector<1xf64>
  // CHECK:         arith.truncf {{.*}} : vector<1xf64> to vector<1xf32>
  gpu.func @row(%v: vector<1xf32>, %n: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c = arith.constant dense<50257.0> : vector<1xf32>
    %q = arith.divf %v, %c : vector<1xf32>
    vector.store %q, %n[%c0] : memref<1xf32>, vector<1xf32>
    gpu.return
  }

  // Sums of four rows.
  // CHECK-LABEL: gpu.func @rows
  // CHECK:         arith.extf {{.*}} : vector<4xf32> to vector<4xf64>
  // CHECK-NOT:     arith.divf
  gpu.func @rows(%v: vector<4xf32>, %n: memref<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c = arith.constant dense<1001.0> : vector<4xf32>
    %q = arith.divf %v, %c : vector<4xf32>
    vector.store %q, %n[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }

  // Powers of two are one product; a variable, different constants, other types
  // and divisions that may be approximated stay.
  // CHECK-LABEL: gpu.func @others
  // CHECK-NOT:     arith.extf
  // CHECK-COUNT-6: arith.divf
  // CHECK-NOT:     arith.extf
  gpu.func @others(%x: f32, %y: f32, %v: vector<4xf32>, %d: f64, %m: memref<f32>,
                   %n: memref<4xf32>, %l: memref<f64>) kernel {
    %c0 = arith.constant 0 : index
    %three = arith.constant 3.0 : f32
    %quarter = arith.constant 0.25 : f32
    %zero = arith.constant 0.0 : f32
    %threes = arith.constant dense<[3.0, 3.0, 3.0, 5.0]> : vector<4xf32>
    %wide = arith.constant 3.0 : f64
    %a = arith.divf %x, %y : f32
    %b = arith.divf %a, %quarter : f32
    %c = arith.divf %b, %zero : f32
    %e = arith.divf %c, %three fastmath<afn> : f32
    memref.store %e, %m[] : memref<f32>
    %w = arith.divf %v, %threes : vector<4xf32>
    vector.store %w, %n[%c0] : memref<4xf32>, vector<4xf32>
    %f = arith.divf %d, %wide : f64
    memref.store %f, %l[] : memref<f64>
    gpu.return
  }
}

// This one has a unit for f64 for each 64 of f32.
gpu.module @slow [#nvvm.target<chip = "sm_86">] {
  // CHECK-LABEL: gpu.func @stays
  // CHECK:         arith.divf
  gpu.func @stays(%x: f32, %m: memref<f32>) kernel {
    %c = arith.constant 3.0 : f32
    %q = arith.divf %x, %c : f32
    memref.store %q, %m[] : memref<f32>
    gpu.return
  }
}
