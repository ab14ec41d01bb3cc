// Payload on which rule groups fire that generated payload and the shipped
// corpus hardly ever meet. One piece a topic.

func.func @shape_cast(%v: vector<4x2xf32>, %w: vector<1x3xf32>) -> (vector<2x4xf32>, vector<3xf32>) {
  %0 = vector.shape_cast %v : vector<4x2xf32> to vector<2x4xf32>
  %1 = vector.shape_cast %w : vector<1x3xf32> to vector<3xf32>
  return %0, %1 : vector<2x4xf32>, vector<3xf32>
}

func.func @transpose(%v: vector<2x4xf32>, %w: vector<4x8xf32>) -> (vector<4x2xf32>, vector<8x4xf32>) {
  %0 = vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %1 = vector.transpose %w, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  return %0, %1 : vector<4x2xf32>, vector<8x4xf32>
}

func.func @outerproduct(%a: vector<2xf32>, %b: vector<3xf32>, %c: vector<2x3xf32>) -> vector<2x3xf32> {
  %0 = vector.outerproduct %a, %b, %c {kind = #vector.kind<add>} : vector<2xf32>, vector<3xf32>
  return %0 : vector<2x3xf32>
}

func.func @broadcast(%s: f32, %v: vector<3xf32>) -> (vector<2x3xf32>, vector<2x3xf32>, vector<4xf32>) {
  %0 = vector.broadcast %v : vector<3xf32> to vector<2x3xf32>
  %1 = vector.broadcast %s : f32 to vector<2x3xf32>
  %2 = vector.broadcast %s : f32 to vector<4xf32>
  return %0, %1, %2 : vector<2x3xf32>, vector<2x3xf32>, vector<4xf32>
}

func.func @contraction(%a: vector<2x4xf32>, %b: vector<4x3xf32>, %c: vector<2x3xf32>, %x: vector<4xf32>, %y: vector<2xf32>) -> (vector<2x3xf32>, vector<2xf32>) {
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>
  %1 = vector.contract {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %a, %x, %y : vector<2x4xf32>, vector<4xf32> into vector<2xf32>
  return %0, %1 : vector<2x3xf32>, vector<2xf32>
}

func.func @reductions(%v: vector<2x4xf32>, %a: vector<2xf32>, %w: vector<4xf32>, %s: f32, %b: vector<4xf32>) -> (vector<2xf32>, f32, vector<4xf32>) {
  %0 = vector.multi_reduction <add>, %v, %a [1] : vector<2x4xf32> to vector<2xf32>
  %1 = vector.multi_reduction <mul>, %w, %s [0] : vector<4xf32> to f32
  %2 = vector.multi_reduction <add>, %v, %b [0] : vector<2x4xf32> to vector<4xf32>
  return %0, %1, %2 : vector<2xf32>, f32, vector<4xf32>
}

func.func @sum_of_products(%a: vector<2x4xf32>, %b: vector<2x4xf32>, %c: vector<2xf32>) -> vector<2xf32> {
  %0 = arith.mulf %a, %b : vector<2x4xf32>
  %1 = vector.multi_reduction <add>, %0, %c [1] : vector<2x4xf32> to vector<2xf32>
  return %1 : vector<2xf32>
}

func.func @extension(%a: vector<2x4xf16>, %b: vector<4x3xf16>, %c: vector<2x3xf32>) -> vector<2x3xf32> {
  %x = arith.extf %a : vector<2x4xf16> to vector<2x4xf32>
  %y = arith.extf %b : vector<4x3xf16> to vector<4x3xf32>
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>
  return %0 : vector<2x3xf32>
}

func.func @masks(%n: index, %m: index) -> (vector<4xi1>, vector<2x4xi1>, vector<2x4xi1>) {
  %0 = vector.create_mask %n : vector<4xi1>
  %1 = vector.create_mask %n, %m : vector<2x4xi1>
  %2 = vector.constant_mask [1, 3] : vector<2x4xi1>
  return %0, %1, %2 : vector<4xi1>, vector<2x4xi1>, vector<2x4xi1>
}

func.func @gather(%m: memref<?x?xf32>, %i: index, %ids: vector<2x3xindex>, %mask: vector<2x3xi1>, %pass: vector<2x3xf32>) -> vector<2x3xf32> {
  %0 = vector.gather %m[%i, %i] [%ids], %mask, %pass : memref<?x?xf32>, vector<2x3xindex>, vector<2x3xi1>, vector<2x3xf32> into vector<2x3xf32>
  return %0 : vector<2x3xf32>
}

func.func @scan(%v: vector<2x3xi32>, %a: vector<3xi32>) -> (vector<2x3xi32>, vector<3xi32>) {
  %0:2 = vector.scan <add>, %v, %a {inclusive = true, reduction_dim = 0} : vector<2x3xi32>, vector<3xi32>
  return %0#0, %0#1 : vector<2x3xi32>, vector<3xi32>
}

func.func @interleave(%a: vector<2x3xf32>, %b: vector<2x3xf32>, %c: vector<4xi16>, %d: vector<4xi16>) -> (vector<2x6xf32>, vector<8xi16>) {
  %0 = vector.interleave %a, %b : vector<2x3xf32> -> vector<2x6xf32>
  %1 = vector.interleave %c, %d : vector<4xi16> -> vector<8xi16>
  return %0, %1 : vector<2x6xf32>, vector<8xi16>
}

func.func @bitcast(%v: vector<2x4xf32>) -> vector<2x8xf16> {
  %0 = vector.bitcast %v : vector<2x4xf32> to vector<2x8xf16>
  return %0 : vector<2x8xf16>
}

func.func @elements(%a: f32, %b: f32, %v: vector<1x2xf32>) -> (vector<2x1xf32>, f32, f32) {
  %0 = vector.from_elements %a, %b : vector<2x1xf32>
  %1:2 = vector.to_elements %v : vector<1x2xf32>
  return %0, %1#0, %1#1 : vector<2x1xf32>, f32, f32
}

func.func @sink(%v: vector<4xf32>, %w: vector<4x2xf32>, %x: vector<4x2xf32>, %m: memref<?xf32>, %i: index) -> (vector<3x4xf32>, vector<2x4xf32>, f32) {
  %0 = vector.broadcast %v : vector<4xf32> to vector<3x4xf32>
  %1 = arith.addf %0, %0 : vector<3x4xf32>
  %2 = vector.transpose %w, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  %3 = vector.transpose %x, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  %4 = arith.addf %2, %3 : vector<2x4xf32>
  %5 = vector.load %m[%i] : memref<?xf32>, vector<4xf32>
  %6 = vector.extract %5[1] : f32 from vector<4xf32>
  return %1, %4, %6 : vector<3x4xf32>, vector<2x4xf32>, f32
}

func.func @elementwise(%a: vector<4xf32>, %b: vector<4xf32>, %c: vector<4x4xi8>) -> (vector<4xf32>, vector<4x4xi32>) {
  %0 = math.fma %a, %b, %a : vector<4xf32>
  %1 = arith.extsi %c : vector<4x4xi8> to vector<4x4xi32>
  return %0, %1 : vector<4xf32>, vector<4x4xi32>
}

func.func @narrow(%a: vector<16xi4>, %b: vector<8xi32>) -> (vector<16xi32>, vector<8xi4>) {
  %0 = arith.extsi %a : vector<16xi4> to vector<16xi32>
  %1 = arith.trunci %b : vector<8xi32> to vector<8xi4>
  return %0, %1 : vector<16xi32>, vector<8xi4>
}

func.func @transfers(%m: memref<?x?xf32>, %n: memref<4x1x8xf32>, %i: index, %pad: f32, %v: vector<8x4xf32>) -> (vector<8x4xf32>, vector<1x8xf32>) {
  %0 = vector.transfer_read %m[%i, %i], %pad {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xf32>, vector<8x4xf32>
  vector.transfer_write %v, %m[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<8x4xf32>, memref<?x?xf32>
  %c0 = arith.constant 0 : index
  %1 = vector.transfer_read %n[%c0, %c0, %c0], %pad {in_bounds = [true, true]} : memref<4x1x8xf32>, vector<1x8xf32>
  return %0, %1 : vector<8x4xf32>, vector<1x8xf32>
}

// -----

func.func @concat(%a: tensor<2x3xf32>, %b: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<2x3xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

func.func @pack(%a: tensor<8x32xf32>, %p: tensor<1x1x8x32xf32>, %u: tensor<1x1x8x32xf32>, %d: tensor<8x32xf32>) -> (tensor<1x1x8x32xf32>, tensor<8x32xf32>) {
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %p : tensor<8x32xf32> -> tensor<1x1x8x32xf32>
  %1 = linalg.unpack %u inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %d : tensor<1x1x8x32xf32> -> tensor<8x32xf32>
  return %0, %1 : tensor<1x1x8x32xf32>, tensor<8x32xf32>
}

func.func @pack_of_empty(%p: tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.pack %e inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %p : tensor<8x32xf32> -> tensor<1x1x8x32xf32>
  return %0 : tensor<1x1x8x32xf32>
}

func.func @pad_and_pack(%a: tensor<7x30xf32>, %p: tensor<1x1x8x32xf32>, %z: f32) -> tensor<1x1x8x32xf32> {
  %0 = tensor.pad %a low[0, 0] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<7x30xf32> to tensor<8x32xf32>
  %1 = linalg.pack %0 inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %p : tensor<8x32xf32> -> tensor<1x1x8x32xf32>
  return %1 : tensor<1x1x8x32xf32>
}

func.func @padded_read(%a: tensor<5x6xf32>) -> vector<7x9xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %0 = tensor.pad %a low[0, 0] high[5, 7] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<5x6xf32> to tensor<10x13xf32>
  %1 = vector.transfer_read %0[%c0, %c0], %z : tensor<10x13xf32>, vector<7x9xf32>
  return %1 : vector<7x9xf32>
}

func.func @sum_into(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%b, %c : tensor<4x4xf32>, tensor<4x4xf32>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.add ins(%0, %1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

func.func @constants() -> tensor<4xf32> {
  %0 = tensor.generate {
  ^bb0(%i: index):
    %z = arith.constant 1.0 : f32
    tensor.yield %z : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @slices(%a: tensor<8x4xf32>, %d: tensor<1x8x4xf32>, %e: tensor<8x8xf32>) -> (tensor<4x4xf32>, tensor<2x4xf32>) {
  %0 = tensor.insert_slice %a into %d[0, 0, 0] [1, 8, 4] [1, 1, 1] : tensor<8x4xf32> into tensor<1x8x4xf32>
  %1 = tensor.extract_slice %0[0, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<1x8x4xf32> to tensor<4x4xf32>
  %2 = tensor.collapse_shape %d [[0, 1], [2]] : tensor<1x8x4xf32> into tensor<8x4xf32>
  %3 = tensor.extract_slice %2[2, 0] [2, 4] [1, 1] : tensor<8x4xf32> to tensor<2x4xf32>
  return %1, %3 : tensor<4x4xf32>, tensor<2x4xf32>
}

func.func @expanded_slice(%a: tensor<60xf32>) -> tensor<2x5xf32> {
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [6, 10] : tensor<60xf32> into tensor<6x10xf32>
  %1 = tensor.extract_slice %0[2, 0] [2, 5] [1, 1] : tensor<6x10xf32> to tensor<2x5xf32>
  %2 = tensor.extract_slice %0[0, 0] [2, 10] [1, 1] : tensor<6x10xf32> to tensor<2x10xf32>
  %3 = tensor.extract_slice %2[0, 0] [2, 5] [1, 1] : tensor<2x10xf32> to tensor<2x5xf32>
  %4 = arith.addf %1, %3 : tensor<2x5xf32>
  return %4 : tensor<2x5xf32>
}

// -----

func.func @atomic(%m: memref<8xf32>, %f: f32, %i: index, %s: memref<2xi32>) -> (f32, memref<4x2xf32>) {
  %0 = memref.atomic_rmw maximumf %f, %m[%i] : (f32, memref<8xf32>) -> f32
  %1 = memref.reshape %m(%s) : (memref<8xf32>, memref<2xi32>) -> memref<4x2xf32>
  return %0, %1 : f32, memref<4x2xf32>
}

func.func @views(%m: memref<16x8xf32>, %i: index, %v: vector<4xf32>) -> f32 {
  %0 = memref.subview %m[%i, 0] [4, 8] [1, 1] : memref<16x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
  %1 = memref.subview %0[1, 2] [2, 4] [1, 1] : memref<4x8xf32, strided<[8, 1], offset: ?>> to memref<2x4xf32, strided<[8, 1], offset: ?>>
  %c0 = arith.constant 0 : index
  %2 = memref.load %1[%c0, %c0] : memref<2x4xf32, strided<[8, 1], offset: ?>>
  vector.transfer_write %v, %1[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, memref<2x4xf32, strided<[8, 1], offset: ?>>
  %3 = memref.expand_shape %m [[0, 1], [2]] output_shape [4, 4, 8] : memref<16x8xf32> into memref<4x4x8xf32>
  %4 = memref.load %3[%c0, %i, %c0] : memref<4x4x8xf32>
  %5 = arith.addf %2, %4 : f32
  return %5 : f32
}

func.func @gpu_ids(%v: f32, %x: i32, %w: i32) -> (f32, index, i32) {
  %0 = gpu.global_id x
  %s, %valid = gpu.shuffle xor %x, %w, %w : i32
  return %v, %0, %s : f32, index, i32
}

gpu.module @kernels {
  gpu.func @all_reduce(%v: f32) kernel {
    %0 = gpu.all_reduce add %v uniform {} : (f32) -> (f32)
    gpu.return
  }
}

// -----

func.func @masked_reads(%a: memref<?x8xf32>, %t: tensor<4x8xf32>, %m: vector<4x8xi1>, %n: vector<8xi1>, %p: vector<4x8xf32>) -> (vector<4x8xf32>, vector<4x8xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %0 = vector.mask %m { vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [false, true]} : memref<?x8xf32>, vector<4x8xf32> } : vector<4x8xi1> -> vector<4x8xf32>
  %1 = vector.mask %m, %p { vector.transfer_read %t[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32> } : vector<4x8xi1> -> vector<4x8xf32>
  %2 = vector.mask %n { vector.transfer_read %t[%c0, %c0], %zero {in_bounds = [true]} : tensor<4x8xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return %0, %1, %2 : vector<4x8xf32>, vector<4x8xf32>, vector<8xf32>
}

// -----

func.func @masked_writes(%a: memref<?x8xf32>, %t: tensor<4x8xf32>, %m: vector<4x8xi1>, %v: vector<4x8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  vector.mask %m { vector.transfer_write %v, %a[%c0, %c0] {in_bounds = [false, true]} : vector<4x8xf32>, memref<?x8xf32> } : vector<4x8xi1>
  %r = vector.mask %m { vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32> } : vector<4x8xi1> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @masked_gather(%a: memref<16xf32>, %i: vector<8xindex>, %m: vector<8xi1>, %n: vector<8xi1>, %p: vector<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.mask %n { vector.gather %a[%c0] [%i], %m, %p : memref<16xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return %r : vector<8xf32>
}

// -----

func.func @masked_work(%a: memref<8x?xf32>, %n: index, %m: vector<8x4xi1>, %x: vector<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %mask = vector.create_mask %c8, %n : vector<8x4xi1>
  %0 = vector.mask %mask { vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x?xf32>, vector<8x4xf32> } : vector<8x4xi1> -> vector<8x4xf32>
  %1 = math.exp %0 : vector<8x4xf32>
  %2 = vector.mask %mask { vector.multi_reduction <add>, %1, %x [1] : vector<8x4xf32> to vector<8xf32> } : vector<8x4xi1> -> vector<8xf32>
  vector.mask %mask { vector.transfer_write %1, %a[%c0, %c0] {in_bounds = [true, true]} : vector<8x4xf32>, memref<8x?xf32> } : vector<8x4xi1>
  return %2 : vector<8xf32>
}

// -----

func.func @outer_products(%a: vector<16xf32>, %b: vector<8xf32>, %c: vector<16xi32>) -> (vector<8x16xf32>, vector<16x8xf32>, vector<16x16xi32>) {
  %0 = vector.broadcast %b : vector<8xf32> to vector<16x8xf32>
  %1 = vector.transpose %0, [1, 0] : vector<16x8xf32> to vector<8x16xf32>
  %2 = vector.broadcast %a : vector<16xf32> to vector<8x16xf32>
  %3 = arith.mulf %2, %1 : vector<8x16xf32>
  %4 = vector.transpose %2, [1, 0] : vector<8x16xf32> to vector<16x8xf32>
  %5 = arith.mulf %4, %0 : vector<16x8xf32>
  %6 = vector.broadcast %c : vector<16xi32> to vector<16x16xi32>
  %7 = vector.transpose %6, [1, 0] : vector<16x16xi32> to vector<16x16xi32>
  %8 = arith.muli %7, %6 : vector<16x16xi32>
  return %3, %5, %8 : vector<8x16xf32>, vector<16x8xf32>, vector<16x16xi32>
}
