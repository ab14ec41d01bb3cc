// An op that hoisting may have moved may still be in the kernel, which is in the scope of the alternatives.
// RUN: formwork check %s 2>&1 | FileCheck %s --implicit-check-not=fw-no-alternative
// RUN: formwork apply %s -o /dev/null
// CHECK: unproved: 0 errors

func.func @f(%a: vector<16x32xf16>, %b: vector<32x8xf16>, %c: vector<16x8xf32>, %i: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %i, %gy = %i, %gz = %i)
      threads(%tx, %ty, %tz) in (%sx = %i, %sy = %i, %sz = %i) {
    %0 = scf.for %k = %i to %i step %i iter_args(%sum = %c) -> (vector<16x8xf32>) {
      %1 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                            iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %a, %b, %sum : vector<16x32xf16>, vector<32x8xf16> into vector<16x8xf32>
      scf.yield %1 : vector<16x8xf32>
    }
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %func : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      %product = transform.structured.match ops{["vector.contract"]} in %scope : (!transform.any_op) -> !transform.any_op
      %loop = transform.structured.match ops{["scf.for"]} in %scope : (!transform.any_op) -> !transform.any_op
      transform.apply_licm to %loop : !transform.any_op
      %writes, %buffers = transform.formwork.stage %product operands = [0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}
