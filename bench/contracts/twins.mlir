// Functions that hold what few payloads have: `contract-mistakes` adds them, one at a
// time, to the payload of a trial.

// Constants of several dialects are made of these.
func.func @twins_constants() -> (i32, index, complex<f32>, vector<4xf32>, index, tensor<2xi32>) {
  %c = arith.constant 40 : i32
  %p = arith.shli %c, %c : i32
  %i = index.constant 2
  %j = index.add %i, %i
  %z = arith.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %c0 = arith.constant 0 : index
  %y = tensor.extract %z[%c0] : tensor<2xcomplex<f32>>
  %v = arith.constant dense<1.0> : vector<4xf32>
  %w = arith.addf %v, %v : vector<4xf32>
  %a = affine.apply affine_map<(i) -> (i * 3 + 1)>(%c0)
  %t = arith.constant dense<[1, 2]> : tensor<2xi32>
  %u = arith.addi %t, %t : tensor<2xi32>
  return %p, %j, %y, %w, %a, %u : i32, index, complex<f32>, vector<4xf32>, index, tensor<2xi32>
}

// Sizes of several dialects are made of these.
func.func @twins_sizes(%n: index, %m: index, %x: f32) -> (tensor<?xf32>, tensor<?x2x4xf32>, tensor<?x1xf32>, tensor<?x?xf32>) {
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %c = tensor.collapse_shape %e [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %f = tensor.empty(%n) : tensor<?x4xf32>
  %c2 = arith.constant 2 : index
  %h = arith.divui %n, %c2 : index
  %g = tensor.expand_shape %f [[0, 1], [2]] output_shape [%h, 2, 4] : tensor<?x4xf32> into tensor<?x2x4xf32>
  %k = tensor.empty(%n) : tensor<?x1xf32>
  %s = tensor.extract_slice %k[%m, 0] [%m, 1] [1, 1] : tensor<?x1xf32> to tensor<?x1xf32>
  %q = tensor.pad %k low[%m, 0] high[0, %m] {
  ^bb0(%i: index, %j: index):
    %a = arith.addi %i, %j : index
    %b = arith.index_cast %a : index to i32
    %d = arith.sitofp %b : i32 to f32
    tensor.yield %d : f32
  } : tensor<?x1xf32> to tensor<?x?xf32>
  return %c, %g, %s, %q : tensor<?xf32>, tensor<?x2x4xf32>, tensor<?x1xf32>, tensor<?x?xf32>
}

// Views and uses of buffers.
func.func @twins_buffers(%b: memref<4x4xf32, 1>, %n: index, %m: memref<?x4xf32>, %x: f32) -> (index, f32, memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %s = memref.alloc() : memref<1xi64>
  %k = arith.constant 16 : i64
  memref.store %k, %s[%c0] : memref<1xi64>
  %r = memref.reshape %b(%s) : (memref<4x4xf32, 1>, memref<1xi64>) -> memref<16xf32>
  %d = memref.dim %m, %c0 : memref<?x4xf32>
  %v = memref.subview %m[%n, 0] [%n, 2] [1, 1] : memref<?x4xf32> to memref<?x2xf32, strided<[4, 1], offset: ?>>
  %l = memref.load %v[%c0, %c0] : memref<?x2xf32, strided<[4, 1], offset: ?>>
  %o = memref.atomic_rmw addf %x, %m[%c0, %c0] : (f32, memref<?x4xf32>) -> f32
  memref.dealloc %s : memref<1xi64>
  return %d, %l, %r : index, f32, memref<16xf32>
}

// The ops of dialects that are converted to.
func.func @twins_lowered(%n: i32, %c: i1, %p: !llvm.ptr) -> i32 {
  %u = llvm.mlir.undef : i32
  %z = llvm.mlir.zero : !llvm.ptr
  %o = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.add %o, %o : i32
  %g = llvm.getelementptr %p[0] : (!llvm.ptr) -> !llvm.ptr, f32
  %l = llvm.load %g : !llvm.ptr -> i32
  %s = llvm.add %a, %l : i32
  cf.cond_br %c, ^a, ^b(%s : i32)
^a:
  %k = arith.addi %n, %n : i32
  cf.br ^b(%k : i32)
^b(%r: i32):
  return %r : i32
}

// These violate most forms of vectors, and of layouts.
func.func @twins_vectors(%a: vector<4x8xf32>, %b: vector<8x4xf32>, %c: vector<4x4xf32>, %m: memref<?x8xf32, strided<[16, 1], offset: ?>>, %i: index, %u: vector<1x4xf32>, %k: vector<4x4xi1>) -> (vector<4x4xf32>, vector<4xf32>, vector<1x4xf32>) {
  %z = arith.constant 0.0 : f32
  %z4 = arith.constant dense<0.0> : vector<4xf32>
  %t = vector.transfer_read %m[%i, %i], %z {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x8xf32, strided<[16, 1], offset: ?>>, vector<8x4xf32>
  %p = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %t, %c : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  %q = arith.mulf %a, %a : vector<4x8xf32>
  %r = vector.multi_reduction <add>, %q, %z4 [1] : vector<4x8xf32> to vector<4xf32>
  %v = arith.addf %u, %u : vector<1x4xf32>
  vector.transfer_write %p, %m[%i, %i] : vector<4x4xf32>, memref<?x8xf32, strided<[16, 1], offset: ?>>
  return %p, %r, %v : vector<4x4xf32>, vector<4xf32>, vector<1x4xf32>
}

// These violate most forms of kernels, of loops and of structured ops.
func.func @twins_kernel(%a: memref<64xf32>, %n: index, %t: tensor<1x?xf32>, %o: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %w = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
    %x = arith.addi %n, %n : index
    %l = memref.load %a[%x] : memref<64xf32>
    memref.store %l, %w[%tx] : memref<?xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.barrier
    gpu.terminator
  }
  scf.forall (%i) in (%n) {
    %l = memref.load %a[%i] : memref<64xf32>
    memref.store %l, %a[%i] : memref<64xf32>
  }
  scf.for %i = %c1 to %n step %c2 {
    %k = arith.muli %n, %n : index
    scf.for %j = %c1 to %k step %c1 {
      %l = memref.load %a[%j] : memref<64xf32>
      memref.store %l, %a[%i] : memref<64xf32>
    }
  }
  %e = linalg.exp ins(%t : tensor<1x?xf32>) outs(%o : tensor<1x?xf32>) -> tensor<1x?xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%a : memref<64xf32>)
  return %e : tensor<1x?xf32>
}
