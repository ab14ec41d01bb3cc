// Two loops share the axis x of the grid; how long they are is known when the kernel runs,
// and either may have no steps.

// RUN: split-file %s %t
// RUN: formwork run --target=emulate %t/payload.mlir --transform=%t/schedule.mlir --seed=1 2>/dev/null | FileCheck %s
// RUN: formwork run --target=emulate %t/payload.mlir --transform=%t/schedule.mlir --seed=2 --shuffle-seed=3 2>/dev/null | FileCheck %s
// RUN: sed 's/in (%%m, %%p)/in (%%none, %%p)/' %t/payload.mlir > %t/none.mlir
// RUN: formwork run --target=emulate %t/none.mlir --transform=%t/schedule.mlir 2>/dev/null | FileCheck %s
// RUN: sed 's/in (%%m, %%p)/in (%%m, %%none)/' %t/payload.mlir > %t/none.mlir
// RUN: formwork run --target=emulate %t/none.mlir --transform=%t/schedule.mlir 2>/dev/null | FileCheck %s
// CHECK: arg1 64x80xf32: {{.*}}: ok

//--- payload.mlir
func.func @f(%x: memref<64x80xf32>, %y: memref<64x80xf32>, %n: i32, %k: i32) {
  %zero = arith.constant 0 : i32
  %nothing = arith.muli %n, %zero : i32
  %none = arith.index_cast %nothing : i32 to index
  %c65 = arith.constant 65 : i32
  %c81 = arith.constant 81 : i32
  %r0 = arith.remui %n, %c65 : i32
  %r1 = arith.remui %k, %c81 : i32
  %m = arith.index_cast %r0 : i32 to index
  %p = arith.index_cast %r1 : i32 to index
  scf.forall (%i, %j) in (%m, %p) {
    %v = memref.load %x[%i, %j] : memref<64x80xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %y[%i, %j] : memref<64x80xf32>
  } {mapping = [#gpu.block<linear_dim_0>, #gpu.block<linear_dim_1>]}
  return
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.forall"]} in %module : (!transform.any_op) -> !transform.any_op
    %launch = transform.formwork.map_forall_to_blocks %loop : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
