// A named product reads its operands by maps of its own: specializing a transposed one changes
// the result, as an execution shows. A plain one, and other operations, stay what they are.
// RUN: split-file %s %t && cd %t
// RUN: formwork check transposed-a.mlir --transform=schedule.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: formwork check transposed-b.mlir --transform=schedule.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: formwork check square.mlir --transform=schedule.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: warning: changes what 'linalg.generic' computes: the named op reads other elements of its operands [fw-step-miscompiles]
// RUN: not formwork run transposed-a.mlir --transform=schedule.mlir --after-each-step 2>&1 | FileCheck %s --check-prefix=DIFFERS
// RUN: not formwork run transposed-b.mlir --transform=schedule.mlir --after-each-step 2>&1 | FileCheck %s --check-prefix=DIFFERS
// RUN: not formwork run square.mlir --transform=schedule.mlir --after-each-step 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: error: {{.*}} [fw-step-miscompiles]
// RUN: formwork check plain.mlir --transform=schedule.mlir 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: formwork check twice.mlir --transform=schedule.mlir 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: formwork check difference.mlir --transform=schedule.mlir 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: formwork check turned.mlir --transform=schedule.mlir 2>&1 | FileCheck %s --check-prefix=RIGHT
// RIGHT-NOT: fw-step-miscompiles
// RIGHT: 2 steps
// RUN: formwork run plain.mlir --transform=schedule.mlir --after-each-step 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: formwork run twice.mlir --transform=schedule.mlir --after-each-step 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: formwork run difference.mlir --transform=schedule.mlir --after-each-step 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: formwork run turned.mlir --transform=schedule.mlir --after-each-step 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: 1 executed, 1 the same

// A sum without overflow is not one of sums without overflow; without sign, it is.
// RUN: formwork check signed.mlir --transform=split.mlir 2>&1 | FileCheck %s --check-prefix=SIGNED
// RUN: formwork check signed.mlir --transform=tile.mlir 2>&1 | FileCheck %s --check-prefix=SIGNED
// SIGNED: warning: changes what 'linalg.generic' computes: 'arith.addi' in its body says that it never overflows, but partial results may [fw-step-miscompiles]
// RUN: sed s/nsw/nuw/ signed.mlir > unsigned.mlir
// RUN: sed 's/ overflow<nsw>//' signed.mlir > wrapping.mlir
// RUN: formwork check unsigned.mlir --transform=split.mlir 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: formwork check wrapping.mlir --transform=tile.mlir 2>&1 | FileCheck %s --check-prefix=RIGHT

//--- transposed-a.mlir
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

//--- transposed-b.mlir
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

//--- square.mlir
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

//--- plain.mlir
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

//--- twice.mlir
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

//--- difference.mlir
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.subf %y, %x : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

//--- turned.mlir
func.func @f(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

//--- signed.mlir
func.func @f(%in: tensor<16xi8>, %init: tensor<i8>) -> tensor<i8> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%in : tensor<16xi8>) outs(%init : tensor<i8>) {
  ^bb0(%x: i8, %sum: i8):
    %next = arith.addi %sum, %x overflow<nsw> : i8
    linalg.yield %next : i8
  } -> tensor<i8>
  return %r : tensor<i8>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %named = transform.structured.specialize %op : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- split.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %init, %fill, %parts, %merge = transform.structured.split_reduction %op {split_factor = 4} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- tile.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %fill, %parts, %merge, %loop = transform.structured.tile_reduction_using_for %op by tile_sizes = [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
