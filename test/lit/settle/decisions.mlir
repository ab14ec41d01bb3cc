// Decisions that have their effect, each on a payload of its own; a run says so, and so does the
// check alone where nothing is open. On payload that does not have what they are for, none has an effect.
// RUN: formwork check %s --split-input-file 2>&1 | FileCheck %s
// CHECK-NOT: {{fw-step-|fw-empty}}
// CHECK-COUNT-10: with effect
// CHECK-NOT: {{fw-step-|fw-empty}}
// RUN: sed 's/ops{\[[a-z_.", ]*\]}/ops{["test.none"]}/' %s > %t.mlir
// RUN: formwork check %t.mlir --split-input-file --static 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: formwork check %t.mlir --split-input-file 2>&1 | FileCheck %s --check-prefix=NONE
// NONE-COUNT-12: has no effect: {{.*}} holds no payload [fw-step-idle]

module attributes {transform.with_named_sequence} {
  func.func @alloc(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.abs ins(%0 : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    return %0, %1 : tensor<8xf32>, tensor<8xf32>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %e = transform.structured.match ops{["tensor.empty"]} in %module : (!transform.any_op) -> !transform.op<"tensor.empty">
    %alloc = transform.bufferization.empty_tensor_to_alloc_tensor %e : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @sums(%x: tensor<8x16xbf16>, %v: tensor<16x4xbf16>, %o: tensor<8x4xbf16>) -> tensor<8x4xbf16> {
    %r = linalg.matmul ins(%x, %v : tensor<8x16xbf16>, tensor<16x4xbf16>) outs(%o : tensor<8x4xbf16>) -> tensor<8x4xbf16>
    return %r : tensor<8x4xbf16>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %sum, %rounded = transform.formwork.widen_sums %m : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @nest(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    scf.for %i = %c0 to %c16 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        %x = memref.load %A[%i, %j] : memref<16x8xf32>
        memref.store %x, %B[%i, %j] : memref<16x8xf32>
      }
    } {outer}
    return
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %outer = transform.structured.match ops{["scf.for"]} attributes {outer} in %module : (!transform.any_op) -> !transform.op<"scf.for">
    %one = transform.loop.coalesce %outer : (!transform.op<"scf.for">) -> !transform.op<"scf.for">
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @stages(%A: memref<32xf32>, %B: memref<32xf32>, %s: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    scf.for %i = %c0 to %c32 step %c1 {
      %x = memref.load %A[%i] : memref<32xf32>
      %y = arith.mulf %x, %s : f32
      memref.store %y, %B[%i] : memref<32xf32>
    }
    return
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %module : (!transform.any_op) -> !transform.op<"scf.for">
    %pipelined = transform.loop.pipeline %loop {iteration_interval = 1, read_latency = 4} : (!transform.op<"scf.for">) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @buffers(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %y = arith.constant 1 : i8
    scf.for %i = %c0 to %c4 step %c1 {
      %a = memref.alloca(%i) : memref<?xi8>
      memref.store %y, %a[%c0] : memref<?xi8>
    }
    return
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["memref.alloca"]} in %module : (!transform.any_op) -> !transform.any_op
    %fixed = transform.memref.make_loop_independent %a {num_loops = 1} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @sizes(%a: tensor<?x16xf32>, %b: tensor<?x16xf32>) -> tensor<?x16xf32> {
    %r = linalg.exp ins(%a : tensor<?x16xf32>) outs(%b : tensor<?x16xf32>) -> tensor<?x16xf32>
    return %r : tensor<?x16xf32>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %module : (!transform.any_op) -> !transform.any_op
    %low, %high, %split = transform.structured.multitile_sizes %exp {dimension = 0, target_size = 8} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @copies(%A: memref<16x8xf32>, %B: memref<8x16xf32>, %C: memref<16x16xf32>) {
    linalg.matmul ins(%A, %B : memref<16x8xf32>, memref<8x16xf32>) outs(%C : memref<16x16xf32>)
    return
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %m tile_sizes [8, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %promoted = transform.structured.promote %tile {operands_to_promote = [0, 1]} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @parts(%a: tensor<16x32xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
    %r = linalg.reduce {arith.addf} ins(%a : tensor<16x32xf32>) outs(%b : tensor<16xf32>) dimensions = [1]
    return %r : tensor<16xf32>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sum = transform.structured.match ops{["linalg.reduce"]} in %module : (!transform.any_op) -> !transform.any_op
    %general = transform.structured.generalize %sum : (!transform.any_op) -> !transform.any_op
    %init, %fill, %part, %rest = transform.structured.split_reduction %general {split_factor = 4, insert_split_dimension = 1} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @threads(%a: tensor<16x32xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
    %r = linalg.reduce {arith.addf} ins(%a : tensor<16x32xf32>) outs(%b : tensor<16xf32>) dimensions = [1]
    return %r : tensor<16xf32>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %sum = transform.structured.match ops{["linalg.reduce"]} in %module : (!transform.any_op) -> !transform.any_op
    %fill, %part, %combine, %forall = transform.structured.tile_reduction_using_forall %sum by num_threads = [0, 4] tile_sizes = [] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @tensors(%x: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    scf.for %i = %c0 to %c16 step %c1 {
      %e = tensor.empty(%i) : tensor<?xf32>
      %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      %y = tensor.extract %f[%c0] : tensor<?xf32>
      vector.print %y : f32
    }
    return
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %e = transform.structured.match ops{["tensor.empty"]} in %module : (!transform.any_op) -> !transform.any_op
    %fixed = transform.tensor.make_loop_independent %e {num_loops = 1} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
