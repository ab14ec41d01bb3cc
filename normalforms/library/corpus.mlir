// The default payloads on which `formwork forms --evidence` tries the claims of forms:
// one for each built-in form, named after the form.

// @bufferized
module {
  func.func @f(%m: memref<64xf32>, %s: f32) {
    linalg.fill ins(%s : f32) outs(%m : memref<64xf32>)
    return
  }
}

// -----

// @canonical
module {
  func.func @f(%a: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %0 = arith.addi %a, %c1 : i32
    %1 = arith.addi %0, %c1 : i32
    %2 = arith.addi %0, %c1 : i32
    %3 = arith.muli %1, %2 : i32
    return %3 : i32
  }
}

// -----

// @driver
module {
  func.func @f(%a: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %dead = arith.muli %a, %a : i32
    %c2 = arith.constant 2 : i32
    %sum = arith.addi %c1, %c2 : i32
    %0 = arith.addi %a, %sum : i32
    return %0 : i32
  }
}

// -----

// @gpu.indices_sunk
module {
  func.func @f(%m: memref<64xf32>, %s: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c2 = arith.constant 2 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      memref.store %s, %m[%c2] : memref<64xf32>
      gpu.terminator
    }
    return
  }
}

// -----

// @gpu.launchable
module {
  func.func @f(%m: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      %tile = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
      %0 = memref.load %m[%tx] : memref<64xf32>
      memref.store %0, %tile[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.terminator
    }
    return
  }
}

// -----

// @gpu.mapped
module {
  func.func @f(%m: memref<64xf32>, %s: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      memref.store %s, %m[%tx] : memref<64xf32>
      gpu.terminator
    }
    return
  }
}

// -----

// @gpu.minimal_barriers
module {
  func.func @f(%m: memref<64xf32>, %i: index, %s: f32) {
    memref.store %s, %m[%i] : memref<64xf32>
    gpu.barrier
    gpu.barrier
    %0 = memref.load %m[%i] : memref<64xf32>
    memref.store %0, %m[%i] : memref<64xf32>
    return
  }
}

// -----

// @gpu.outlined
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%m: memref<64xf32>, %s: f32) kernel {
      %0 = gpu.thread_id x
      memref.store %s, %m[%0] : memref<64xf32>
      gpu.return
    }
  }
  func.func @f(%m: memref<64xf32>, %s: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<64xf32>, %s : f32)
    return
  }
}

// -----

// @gpu.static_workgroup_memory
module {
  memref.global "private" @tile : memref<64xf32, #gpu.address_space<workgroup>>
  func.func @f(%i: index) -> f32 {
    %tile = memref.get_global @tile : memref<64xf32, #gpu.address_space<workgroup>>
    %0 = memref.load %tile[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    return %0 : f32
  }
}

// -----

// @linalg.minimal_inputs
module {
  func.func @f(%a: tensor<32xf32>, %b: tensor<32xf32>, %out: tensor<32xf32>) -> tensor<32xf32> {
    %0 = linalg.generic {
        indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
        iterator_types = ["parallel"]}
        ins(%a, %b : tensor<32xf32>, tensor<32xf32>) outs(%out : tensor<32xf32>) {
    ^bb0(%x: f32, %unused: f32, %y: f32):
      %1 = arith.addf %x, %y : f32
      linalg.yield %1 : f32
    } -> tensor<32xf32>
    return %0 : tensor<32xf32>
  }
}

// -----

// @linalg.no_unit_dims
module {
  func.func @f(%a: tensor<1x32xf32>, %out: tensor<1x32xf32>) -> tensor<1x32xf32> {
    %0 = linalg.generic {
        indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<1x32xf32>) outs(%out : tensor<1x32xf32>) {
    ^bb0(%x: f32, %y: f32):
      %1 = arith.addf %x, %y : f32
      linalg.yield %1 : f32
    } -> tensor<1x32xf32>
    return %0 : tensor<1x32xf32>
  }
}

// -----

// @linalg.on_tensors
module {
  func.func @f(%out: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
    %0 = linalg.fill ins(%s : f32) outs(%out : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// @linalg.static
module {
  func.func @f(%a: tensor<80x32xf32>, %i: index) -> tensor<?x32xf32> {
    %zero = arith.constant 0.0 : f32
    %size = affine.min affine_map<(d0) -> (16, 80)>(%i)
    %slice = tensor.extract_slice %a[%i, 0] [%size, 32] [1, 1] : tensor<80x32xf32> to tensor<?x32xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%slice : tensor<?x32xf32>) -> tensor<?x32xf32>
    return %0 : tensor<?x32xf32>
  }
}

// -----

// @linalg.tiled
module {
  func.func @f(%a: tensor<80x32xf32>, %i: index) -> tensor<?x?xf32> {
    %zero = arith.constant 0.0 : f32
    %size = affine.min affine_map<(d0) -> (16, 80)>(%i)
    %slice = tensor.extract_slice %a[%i, 0] [%size, 32] [1, 1] : tensor<80x32xf32> to tensor<?x32xf32>
    %cast = tensor.cast %slice : tensor<?x32xf32> to tensor<?x?xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%cast : tensor<?x?xf32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
}

// -----

// @llvm.no_casts
module {
  func.func @f(%a: i64) -> index {
    %0 = arith.index_cast %a : i64 to index
    return %0 : index
  }
}

// -----

// @llvm.translatable
module {
  llvm.func @f(%a: i64) -> i64 {
    %0 = llvm.add %a, %a : i64
    llvm.return %0 : i64
  }
}

// -----

// @loops.canonical
module {
  func.func @f(%m: memref<64xindex>) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c16 {
      %0 = affine.min affine_map<(d0) -> (16, -d0 + 64)>(%i)
      memref.store %0, %m[%i] : memref<64xindex>
    }
    return
  }
}

// -----

// @loops.invariants_hoisted
module {
  func.func @f(%n: index, %m: memref<?xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %0 = arith.muli %n, %n : index
        memref.store %0, %m[%j] : memref<?xindex>
      }
    }
    return
  }
}

// -----

// @loops.normalized
module {
  func.func @f(%n: index, %m: memref<?xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      memref.store %i, %m[%i] : memref<?xindex>
    }
    return
  }
}

// -----

// @loops.perfect_nest
module {
  func.func @f(%n: index, %m: memref<?x?xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %0 = arith.muli %n, %n : index
      scf.for %j = %c0 to %n step %c1 {
        memref.store %0, %m[%i, %j] : memref<?x?xindex>
      }
    }
    return
  }
}

// -----

// @loops.static
module {
  func.func @f(%m: memref<64xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %m, %c0 : memref<64xindex>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %i, %m[%i] : memref<64xindex>
    }
    return
  }
}

// -----

// @memref.allocations_hoisted
module {
  func.func @f(%n: index, %m: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %0 = memref.alloc() : memref<4xf32>
      memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
      memref.copy %0, %m : memref<4xf32> to memref<4xf32>
    }
    return
  }
}

// -----

// @memref.canonical
module {
  func.func @f(%m: memref<64x64xf32>, %i: index) -> f32 {
    %0 = memref.subview %m[%i, 0] [16, 64] [1, 1] : memref<64x64xf32> to memref<16x64xf32, strided<[64, 1], offset: ?>>
    memref.copy %0, %0 : memref<16x64xf32, strided<[64, 1], offset: ?>> to memref<16x64xf32, strided<[64, 1], offset: ?>>
    %1 = memref.load %0[%i, %i] : memref<16x64xf32, strided<[64, 1], offset: ?>>
    return %1 : f32
  }
}

// -----

// @memref.dims_resolved
module {
  func.func @f(%a: tensor<?x8xf32>, %out: tensor<?x8xf32>, %s: f32) -> index {
    %c0 = arith.constant 0 : index
    %0 = linalg.fill ins(%s : f32) outs(%out : tensor<?x8xf32>) -> tensor<?x8xf32>
    %1 = tensor.pad %0 low[1, 0] high[2, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %s : f32
    } : tensor<?x8xf32> to tensor<?x8xf32>
    %2 = tensor.dim %1, %c0 : tensor<?x8xf32>
    return %2 : index
  }
}

// -----

// @memref.identity_layouts
module {
  func.func @f(%m: memref<8x64xf32>, %s: f32) {
    linalg.fill ins(%s : f32) outs(%m : memref<8x64xf32>)
    return
  }
}

// -----

// @tensor.bufferizable
module {
  func.func @f(%out: tensor<4x64xf32>, %n: index) -> tensor<4x64xf32> {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %out) -> tensor<4x64xf32> {
      %1 = tensor.empty() : tensor<4x16xf32>
      %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<4x16xf32>) -> tensor<4x16xf32>
      %3 = tensor.insert_slice %2 into %acc[0, 8] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<4x64xf32>
      scf.yield %3 : tensor<4x64xf32>
    }
    return %0 : tensor<4x64xf32>
  }
}

// -----

// @tensor.empty_folded
module {
  func.func @f(%i: index) -> tensor<4x16xf32> {
    %0 = tensor.empty() : tensor<64xf32>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 16] : tensor<64xf32> into tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }
}

// -----

// @tensor.hoisted
module {
  func.func @f(%a: tensor<8x64xf32>, %out: tensor<8x32xf32>) -> tensor<8x32xf32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %pad = arith.constant 0.0 : f32
    %0 = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %out) -> tensor<8x32xf32> {
      %1 = vector.transfer_read %acc[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<8x32xf32>, vector<1x8xf32>
      %2 = vector.transfer_read %a[%c0, %k], %pad {in_bounds = [true, true]} : tensor<8x64xf32>, vector<1x8xf32>
      %3 = arith.addf %1, %2 : vector<1x8xf32>
      %4 = vector.transfer_write %3, %acc[%c0, %c0] {in_bounds = [true, true]} : vector<1x8xf32>, tensor<8x32xf32>
      scf.yield %4 : tensor<8x32xf32>
    }
    return %0 : tensor<8x32xf32>
  }
}

// -----

// @tensor.no_empty
module {
  func.func @f(%out: tensor<64xf32>, %i: index) -> tensor<64xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<16xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<16xf32>) -> tensor<16xf32>
    %2 = tensor.insert_slice %1 into %out[%i] [16] [1] : tensor<16xf32> into tensor<64xf32>
    return %2 : tensor<64xf32>
  }
}

// -----

// @tensor.reshapes_folded
module {
  func.func @f(%a: tensor<32xf32>, %out: tensor<1x1x64xf32>, %i: index) -> tensor<1x1x64xf32> {
    %0 = tensor.expand_shape %a [[0, 1]] output_shape [1, 32] : tensor<32xf32> into tensor<1x32xf32>
    %1 = tensor.insert_slice %0 into %out[0, 0, %i] [1, 1, 32] [1, 1, 1] : tensor<1x32xf32> into tensor<1x1x64xf32>
    return %1 : tensor<1x1x64xf32>
  }
}

// -----

// @tensor.slices_merged
module {
  func.func @f(%a: tensor<64x64xf32>, %i: index) -> tensor<4x4xf32> {
    %0 = tensor.extract_slice %a[%i, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
    %1 = tensor.extract_slice %0[4, 8] [4, 4] [1, 1] : tensor<16x64xf32> to tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
}

// -----

// @vector.accumulators_hoisted
module {
  func.func @f(%m: memref<16x16xf32>, %v: vector<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %pad = arith.constant 0.0 : f32
    scf.for %i = %c0 to %c8 step %c1 {
      %0 = vector.transfer_read %m[%c0, %c0], %pad {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %1 = arith.addf %0, %v : vector<4xf32>
      vector.transfer_write %1, %m[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    }
    return
  }
}

// -----

// @vector.contracts
module {
  func.func @f(%a: vector<4x8xf32>, %b: vector<4x8xf32>, %acc: vector<4xf32>) -> vector<4xf32> {
    %0 = arith.mulf %a, %b : vector<4x8xf32>
    %1 = vector.multi_reduction <add>, %0, %acc [1] : vector<4x8xf32> to vector<4xf32>
    return %1 : vector<4xf32>
  }
}

// -----

// @vector.extensions_folded
module {
  func.func @f(%a: vector<4x8xf16>, %b: vector<8x4xf16>, %acc: vector<4x4xf32>) -> vector<4x4xf32> {
    %0 = arith.extf %a : vector<4x8xf16> to vector<4x8xf32>
    %1 = arith.extf %b : vector<8x4xf16> to vector<8x4xf32>
    %2 = vector.contract {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %0, %1, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    return %2 : vector<4x4xf32>
  }
}

// -----

// @vector.identity_transfers
module {
  func.func @f(%m: memref<16x16xf32>, %i: index) -> vector<4x8xf32> {
    %pad = arith.constant 0.0 : f32
    %0 = vector.transfer_read %m[%i, %i], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<16x16xf32>, vector<4x8xf32>
    return %0 : vector<4x8xf32>
  }
}

// -----

// @vector.loadable
module {
  func.func @f(%m: memref<64xf32>, %i: index) {
    %0 = vector.load %m[%i] : memref<64xf32>, vector<4xf32>
    %1 = arith.addf %0, %0 : vector<4xf32>
    vector.store %1, %m[%i] : memref<64xf32>, vector<4xf32>
    return
  }
}

// -----

// @vector.no_leading_unit_dims
module {
  func.func @f(%a: vector<1x8xf32>, %b: vector<1x8xf32>) -> vector<1x8xf32> {
    %0 = arith.addf %a, %b : vector<1x8xf32>
    %1 = arith.mulf %0, %b : vector<1x8xf32>
    return %1 : vector<1x8xf32>
  }
}

// -----

// @vector.plain_contracts
module {
  func.func @f(%a: memref<1x8xf32>, %b: memref<8x4xf32>, %acc: vector<1x4xf32>) -> vector<1x4xf32> {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0, d1)>} : memref<1x8xf32>, vector<1x4x8xf32>
    %1 = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (0, d1, d0)>} : memref<8x4xf32>, vector<1x4x8xf32>
    %2 = arith.mulf %0, %1 : vector<1x4x8xf32>
    %3 = vector.multi_reduction <add>, %2, %acc [2] : vector<1x4x8xf32> to vector<1x4xf32>
    return %3 : vector<1x4xf32>
  }
}

// -----

// @vector.rank_one_transfers
module {
  func.func @f(%m: memref<3x16x16xf32>, %i: index) -> vector<2x8xf32> {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %s = memref.subview %m[%i, 0, 0] [1, 16, 16] [1, 1, 1] : memref<3x16x16xf32> to memref<16x16xf32, strided<[16, 1], offset: ?>>
    %0 = vector.transfer_read %s[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf32, strided<[16, 1], offset: ?>>, vector<2x8xf32>
    return %0 : vector<2x8xf32>
  }
}

// -----

// Broadcast and permuted dimensions, and masks: unrolling these makes broadcasts,
// which must not become transfers of a higher rank again.
module {
  func.func @f(%m: memref<16x16xf32>, %i: index, %o: memref<4x16x16xf32>, %mask: vector<4x8xi1>) -> (vector<1x8xf32>, vector<4x8xf32>, vector<8x4xf32>, vector<1x1x8xf32>) {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %0 = vector.transfer_read %m[%i, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf32>, vector<1x8xf32>
    %1 = vector.transfer_read %m[%i, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, d1)>} : memref<16x16xf32>, vector<4x8xf32>
    %2 = vector.transfer_read %m[%c0, %i], %pad {in_bounds = [false, true], permutation_map = affine_map<(d0, d1) -> (d1, 0)>} : memref<16x16xf32>, vector<8x4xf32>
    %3 = vector.transfer_read %m[%c0, %i], %pad {in_bounds = [true, true, false], permutation_map = affine_map<(d0, d1) -> (0, d0, d1)>} : memref<16x16xf32>, vector<1x1x8xf32>
    %b = vector.broadcast %0 : vector<1x8xf32> to vector<4x1x8xf32>
    vector.transfer_write %b, %o[%c0, %i, %c0] {in_bounds = [true, true, false]} : vector<4x1x8xf32>, memref<4x16x16xf32>
    %4 = vector.transfer_read %o[%i, %i, %c0], %pad, %mask {in_bounds = [true, true]} : memref<4x16x16xf32>, vector<4x8xf32>
    %5 = arith.addf %1, %4 : vector<4x8xf32>
    return %0, %5, %2, %3 : vector<1x8xf32>, vector<4x8xf32>, vector<8x4xf32>, vector<1x1x8xf32>
  }
}

// -----

// @vector.rank_reduced
module {
  func.func @f(%m: memref<8x16x1xf32>, %i: index) -> vector<4x1xf32> {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %0 = vector.transfer_read %m[%i, %i, %c0], %pad {in_bounds = [true, true]} : memref<8x16x1xf32>, vector<4x1xf32>
    return %0 : vector<4x1xf32>
  }
}

// -----

// @vector.slices_folded
module {
  func.func @f(%a: tensor<64x64xf32>, %i: index) -> vector<4x4xf32> {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %0 = tensor.extract_slice %a[%i, 0] [4, 64] [1, 1] : tensor<64x64xf32> to tensor<4x64xf32>
    %1 = vector.transfer_read %0[%c0, %i], %pad {in_bounds = [true, true]} : tensor<4x64xf32>, vector<4x4xf32>
    return %1 : vector<4x4xf32>
  }
}

// -----

// A fresh tensor in a loop-carried one: removing it undoes hoisting.
module {
  func.func @f(%out: tensor<4x64xf32>, %n: index) -> tensor<4x64xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %out) -> tensor<4x64xf32> {
      %int = arith.index_cast %i : index to i32
      %s = arith.sitofp %int : i32 to f32
      %1 = tensor.empty() : tensor<4x16xf32>
      %2 = linalg.fill ins(%s : f32) outs(%1 : tensor<4x16xf32>) -> tensor<4x16xf32>
      %3 = tensor.insert_slice %2 into %acc[0, 8] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<4x64xf32>
      scf.yield %3 : tensor<4x64xf32>
    }
    return %0 : tensor<4x64xf32>
  }
}

// -----

// A fresh tensor in a fresh one: writing directly to the place of the result writes
// a slice of a fresh tensor.
module {
  func.func @f(%n: index) -> tensor<1x3x5xf32> {
    %0 = tensor.empty(%n, %n) : tensor<?x3x?xf32>
    %1 = tensor.empty() : tensor<1x3x5xf32>
    %2 = tensor.insert_slice %0 into %1[0, 0, %n] [%n, 3, %n] [1, 1, 2] : tensor<?x3x?xf32> into tensor<1x3x5xf32>
    return %2 : tensor<1x3x5xf32>
  }
}
