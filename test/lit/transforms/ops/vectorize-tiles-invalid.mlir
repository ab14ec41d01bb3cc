// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// fw-vector-sizes: another number of sizes
func.func @f(%a: tensor<3x16xf32>, %b: tensor<16x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-note @below {{payload op}}
  %r = linalg.matmul ins(%a, %b : tensor<3x16xf32>, tensor<16x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a vector size for each of the 3 loops of 'linalg.matmul' but has 2 [fw-vector-sizes]}}
    transform.formwork.vectorize_tiles %op sizes = [4, 8] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// fw-vector-sizes: a negative size
func.func @f(%a: tensor<3x16xf32>, %b: tensor<16x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-note @below {{payload op}}
  %r = linalg.matmul ins(%a, %b : tensor<3x16xf32>, tensor<16x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires vector sizes of at least 0 but has -1 [fw-vector-sizes]}}
    transform.formwork.vectorize_tiles %op sizes = [4, 8, -1] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// fw-vector-sizes: a static loop that is longer
func.func @f(%a: tensor<3x16xf32>, %b: tensor<16x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-note @below {{payload op}}
  %r = linalg.matmul ins(%a, %b : tensor<3x16xf32>, tensor<16x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires vector sizes that cover the loops of 'linalg.matmul' but has 8 for dimension 2, which may have more [fw-vector-sizes]}}
    transform.formwork.vectorize_tiles %op sizes = [4, 8, 8] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// fw-vector-sizes: a dynamic loop without a bound
func.func @f(%a: tensor<?x16xf32>, %b: tensor<16x5xf32>, %c: tensor<?x5xf32>) -> tensor<?x5xf32> {
  // expected-note @below {{payload op}}
  %r = linalg.matmul ins(%a, %b : tensor<?x16xf32>, tensor<16x5xf32>) outs(%c : tensor<?x5xf32>) -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires vector sizes that cover the loops of 'linalg.matmul' but has 4 for dimension 0, which may have more [fw-vector-sizes]}}
    transform.formwork.vectorize_tiles %op sizes = [4, 8, 16] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// fw-vector-sizes: as many as a loop has, without a bound
func.func @f(%a: tensor<?x16xf32>, %b: tensor<16x5xf32>, %c: tensor<?x5xf32>) -> tensor<?x5xf32> {
  // expected-note @below {{payload op}}
  %r = linalg.matmul ins(%a, %b : tensor<?x16xf32>, tensor<16x5xf32>) outs(%c : tensor<?x5xf32>) -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a vector size for dimension 0 of 'linalg.matmul' but has 0, and how many steps that loop has at most is not known [fw-vector-sizes]}}
    transform.formwork.vectorize_tiles %op sizes = [0, 8, 16] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// fw-no-vector-form: a reduction that vectors do not have
func.func @f(%x: tensor<3x7xf32>, %o: tensor<3xf32>) -> tensor<3xf32> {
  // expected-note @below {{payload op}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x7xf32>) outs(%o : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.divf %acc, %v : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a reduction that vectors have but 'linalg.generic' has another one [fw-no-vector-form]}}
    transform.formwork.vectorize_tiles %op sizes = [4, 7] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// fw-no-vector-form: a reduction whose result has its loops in another order
func.func @f(%x: tensor<3x5x7xf32>, %o: tensor<5x3xf32>) -> tensor<5x3xf32> {
  // expected-note @below {{payload op}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<3x5x7xf32>) outs(%o : tensor<5x3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %acc, %v : f32
    linalg.yield %s : f32
  } -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a result with all parallel loops, in their order, but that of 'linalg.generic' has others [fw-no-vector-form]}}
    transform.formwork.vectorize_tiles %op sizes = [0, 0, 0] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// fw-no-vector-form: a division by what may be zero behind the end
func.func @f(%x: tensor<3xi32>, %y: tensor<3xi32>, %o: tensor<3xi32>) -> tensor<3xi32> {
  // expected-note @below {{payload op}}
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<3xi32>, tensor<3xi32>) outs(%o : tensor<3xi32>) {
  ^bb0(%v: i32, %w: i32, %acc: i32):
    %s = arith.divsi %v, %w : i32
    linalg.yield %s : i32
  } -> tensor<3xi32>
  return %r : tensor<3xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires operations that can be done to elements that are not there but 'linalg.generic' has 'arith.divsi' [fw-no-vector-form]}}
    transform.formwork.vectorize_tiles %op sizes = [4] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// fw-no-vector-form: a factor without the loop of the sum, of which zero times it may be no zero
func.func @f(%x: tensor<3x7xf32>, %y: tensor<3xf32>, %o: tensor<3xf32>) -> tensor<3xf32> {
  // expected-note @below {{payload op}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<3x7xf32>, tensor<3xf32>) outs(%o : tensor<3xf32>) {
  ^bb0(%v: f32, %w: f32, %acc: f32):
    %p = arith.mulf %v, %w : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires loops that both factors have, where they are not full, but dimension 1 of 'linalg.generic' is on one only [fw-no-vector-form]}}
    transform.formwork.vectorize_tiles %op sizes = [4, 8] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// fw-no-vector-form: an index that is a sum of loops
func.func @f(%x: tensor<9xf32>, %o: tensor<3x7xf32>) -> tensor<3x7xf32> {
  // expected-note @below {{payload op}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<9xf32>) outs(%o : tensor<3x7xf32>) {
  ^bb0(%v: f32, %acc: f32):
    linalg.yield %v : f32
  } -> tensor<3x7xf32>
  return %r : tensor<3x7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires operands that are indexed by loops alone but 'linalg.generic' has another index [fw-no-vector-form]}}
    transform.formwork.vectorize_tiles %op sizes = [4, 8] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// fw-no-vector-form: a window of more than one step
func.func @f(%x: tensor<1x9x4xf32>, %w: tensor<3x4x8xf32>, %o: tensor<1x7x8xf32>) -> tensor<1x7x8xf32> {
  // expected-note @below {{payload op}}
  %r = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x9x4xf32>, tensor<3x4x8xf32>) outs(%o : tensor<1x7x8xf32>) -> tensor<1x7x8xf32>
  return %r : tensor<1x7x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.conv_1d_nwc_wcf"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires operands that are indexed by loops alone but 'linalg.conv_1d_nwc_wcf' moves a window over one; tile the loops of the window by 1: dimension 3 [fw-no-vector-form]}}
    transform.formwork.vectorize_tiles %op sizes = [1, 8, 8, 3, 4] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// fw-no-vector-form: on buffers
func.func @f(%a: memref<3x16xf32>, %v: f32) {
  // expected-note @below {{payload op}}
  linalg.fill ins(%v : f32) outs(%a : memref<3x16xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires an operation on tensors but 'linalg.fill' is on buffers; vectorize before bufferization, or with transform.structured.vectorize where the tiles divide the sizes [fw-no-vector-form]}}
    transform.formwork.vectorize_tiles %op sizes = [4, 16] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// fw-no-vector-form: no structured operation
func.func @f(%a: f32) -> f32 {
  // expected-note @below {{payload op}}
  %r = arith.addf %a, %a : f32
  return %r : f32
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["arith.addf"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a structured operation but has 'arith.addf' [fw-no-vector-form]}}
    transform.formwork.vectorize_tiles %op sizes = [4] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// fw-no-vector-form: 32 columns may be of two places, which have 48 each
func.func @f(%x: tensor<3x48xf32>) -> tensor<144xf32> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c144 = arith.constant 144 : index
  %o = tensor.empty() : tensor<144xf32>
  %r = scf.for %i = %c0 to %c144 step %c32 iter_args(%all = %o) -> (tensor<144xf32>) {
    %n = affine.min affine_map<(d0) -> (32, 144 - d0)>(%i)
    %p = affine.apply affine_map<(d0) -> (d0 floordiv 48)>(%i)
    %q = affine.apply affine_map<(d0) -> (d0 mod 48)>(%i)
    %from = tensor.extract_slice %x[%p, %q] [1, %n] [1, 1] : tensor<3x48xf32> to tensor<1x?xf32>
    %to = tensor.extract_slice %all[%i] [%n] [1] : tensor<144xf32> to tensor<?xf32>
    // expected-note @below {{payload op}}
    %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 48, i mod 48)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%from : tensor<1x?xf32>) outs(%to : tensor<?xf32>) {
    ^bb0(%v: f32, %acc: f32):
      linalg.yield %v : f32
    } -> tensor<?xf32>
    %s = tensor.insert_slice %t into %all[%i] [%n] [1] : tensor<?xf32> into tensor<144xf32>
    scf.yield %s : tensor<144xf32>
  }
  return %r : tensor<144xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires tiles that lie in one part of a loop that the indices divide but 'linalg.generic' may reach into the next; tile that loop by what divides its parts [fw-no-vector-form]}}
    transform.formwork.vectorize_tiles %op sizes = [32] : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// fw-no-vector-form: what is written starts at the first column, what is read does not
func.func @f(%x: tensor<3x48xf32>, %i: index) -> tensor<32xf32> {
  %o = tensor.empty() : tensor<32xf32>
  %q = affine.apply affine_map<(d0) -> (d0 mod 48)>(%i)
  %from = tensor.extract_slice %x[0, %q] [1, 32] [1, 1] : tensor<3x48xf32> to tensor<1x32xf32>
  // expected-note @below {{payload op}}
  %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 48, i mod 48)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%from : tensor<1x32xf32>) outs(%o : tensor<32xf32>) {
  ^bb0(%v: f32, %acc: f32):
    linalg.yield %v : f32
  } -> tensor<32xf32>
  return %t : tensor<32xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires tiles that lie in one part of a loop}}
    transform.formwork.vectorize_tiles %op sizes = [32] : (!transform.any_op) -> ()
    transform.yield
  }
}
