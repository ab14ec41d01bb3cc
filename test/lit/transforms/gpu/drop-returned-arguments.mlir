// RUN: formwork-opt %s --formwork-drop-returned-arguments | FileCheck %s

// CHECK-LABEL: func.func @in_place(%{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32>) -> memref<4xf32> {
// CHECK: %[[FRESH:.*]] = memref.alloc
// CHECK: return %[[FRESH]] : memref<4xf32>
func.func @in_place(%a: memref<4xf32>, %c: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %fresh = memref.alloc() : memref<4xf32>
  return %c, %fresh : memref<4xf32>, memref<4xf32>
}

// Which buffer it is depends on the path.
// CHECK-LABEL: func.func @either
// CHECK-SAME: -> memref<4xf32>
func.func @either(%p: i1, %a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %p, ^one, ^two
^one:
  return %a : memref<4xf32>
^two:
  return %b : memref<4xf32>
}

// Its caller reads the result.
// CHECK-LABEL: func.func private @called
// CHECK-SAME: -> memref<4xf32>
func.func private @called(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
// CHECK-LABEL: func.func @caller(%{{.*}}: memref<4xf32>) -> memref<4xf32>
func.func @caller(%a: memref<4xf32>) -> memref<4xf32> {
  %0 = call @called(%a) : (memref<4xf32>) -> memref<4xf32>
  return %0 : memref<4xf32>
}
