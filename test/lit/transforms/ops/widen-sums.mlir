// RUN: formwork-opt %s --transform-interpreter --split-input-file -canonicalize -cse | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter --split-input-file -canonicalize -cse --mlir-print-op-generic | formwork-opt --split-input-file | FileCheck %s

// A product remains one, of factors that are extended, and starts at a zero of
// f32. The rounding is an operation of its own, into the tensor that was filled.

// CHECK-LABEL: func.func @product
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<8x16xbf16>, %[[Y:[a-z0-9]*]]: tensor<16x4xbf16>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[NARROW:.*]] = linalg.fill {{.*}} -> tensor<8x4xbf16>
// CHECK-DAG:     %[[WIDE:.*]] = tensor.empty() : tensor<8x4xf32>
// CHECK:         %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[WIDE]] : tensor<8x4xf32>)
// CHECK:         %[[SUM:.*]] = linalg.generic
// CHECK-SAME:        ins(%[[X]], %[[Y]] : tensor<8x16xbf16>, tensor<16x4xbf16>) outs(%[[FILL]] : tensor<8x4xf32>) attrs = {sum}
// CHECK:         ^bb0(%[[A:.*]]: bf16, %[[B:.*]]: bf16, %[[S:.*]]: f32):
// CHECK:           %[[AW:.*]] = arith.extf %[[A]] : bf16 to f32
// CHECK:           %[[BW:.*]] = arith.extf %[[B]] : bf16 to f32
// CHECK:           %[[P:.*]] = arith.mulf %[[AW]], %[[BW]] : f32
// CHECK:           %[[T:.*]] = arith.addf %[[S]], %[[P]] : f32
// CHECK:           linalg.yield %[[T]] : f32
// CHECK:         %[[ROUNDED:.*]] = linalg.generic
// CHECK-SAME:        ins(%[[SUM]] : tensor<8x4xf32>) outs(%[[NARROW]] : tensor<8x4xbf16>) attrs = {rounded}
// CHECK:           arith.truncf %{{.*}} : f32 to bf16
// CHECK:         return %[[ROUNDED]] : tensor<8x4xbf16>
func.func @product(%x: tensor<8x16xbf16>, %y: tensor<16x4xbf16>) -> tensor<8x4xbf16> {
  %c = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<8x4xbf16>
  %z = linalg.fill ins(%c : bf16) outs(%e : tensor<8x4xbf16>) -> tensor<8x4xbf16>
  %m = linalg.matmul ins(%x, %y : tensor<8x16xbf16>, tensor<16x4xbf16>) outs(%z : tensor<8x4xbf16>) -> tensor<8x4xbf16>
  return %m : tensor<8x4xbf16>
}

// The initial values come from outside, and the result goes where they are. The
// terms are not products, the rows not of a known number.

// CHECK-LABEL: func.func @rows
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<?x64xf16>, %[[S:[a-z0-9]*]]: tensor<?xf16>
// CHECK:         %[[START:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<?xf16>)
// CHECK:           arith.extf
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<?x64xf16>) outs(%[[START]] : tensor<?xf32>)
// CHECK:         ^bb0(%[[A:.*]]: f16, %[[ACC:.*]]: f32):
// CHECK:           %[[E:.*]] = math.exp %[[A]] : f16
// CHECK:           %[[W:.*]] = arith.extf %[[E]] : f16 to f32
// CHECK:           arith.addf %[[ACC]], %[[W]] : f32
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]] : tensor<?xf32>) outs(%[[S]] : tensor<?xf16>)
func.func @rows(%x: tensor<?x64xf16>, %s: tensor<?xf16>) -> tensor<?xf16> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x64xf16>) outs(%s : tensor<?xf16>) {
  ^bb0(%a: f16, %acc: f16):
    %e = math.exp %a : f16
    %t = arith.addf %e, %acc : f16
    linalg.yield %t : f16
  } -> tensor<?xf16>
  return %r : tensor<?xf16>
}

// Only what is a sum of narrow numbers changes: not a maximum, nor a sum of f32.

// CHECK-LABEL: func.func @several
// CHECK:         %[[START:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8xf32>)
// CHECK:           arith.extf
// CHECK:         %[[ALL:.*]]:3 = linalg.generic
// CHECK-SAME:        outs(%[[START]], %{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf16>, tensor<8xf32>)
// CHECK:           arith.maximumf %{{.*}} : f16
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[ALL]]#0 : tensor<8xf32>)
// CHECK:         return %[[R]], %[[ALL]]#1, %[[ALL]]#2 : tensor<8xf16>, tensor<8xf16>, tensor<8xf32>
func.func @several(%x: tensor<8x16xf16>, %z: tensor<8xf16>, %m: tensor<8xf16>, %w: tensor<8xf32>) -> (tensor<8xf16>, tensor<8xf16>, tensor<8xf32>) {
  %r:3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf16>) outs(%z, %m, %w : tensor<8xf16>, tensor<8xf16>, tensor<8xf32>) {
  ^bb0(%a: f16, %s: f16, %most: f16, %t: f32):
    %n = arith.addf %a, %s : f16
    %o = arith.maximumf %a, %most : f16
    %b = arith.extf %a : f16 to f32
    %q = arith.addf %b, %t : f32
    linalg.yield %n, %o, %q : f16, f16, f32
  } -> (tensor<8xf16>, tensor<8xf16>, tensor<8xf32>)
  return %r#0, %r#1, %r#2 : tensor<8xf16>, tensor<8xf16>, tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %product = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %ops = transform.merge_handles %product, %generic : !transform.any_op
    %sum, %rounded = transform.formwork.widen_sums %ops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %sum "sum" : !transform.any_op
    transform.annotate %rounded "rounded" : !transform.any_op
    transform.yield
  }
}
