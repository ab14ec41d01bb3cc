// Each clause of @vector.extensions_folded, violated.
// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// vector.extensions_folded.irreducible
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%a: vector<4x8xf16>, %b: vector<8x4xf16>, %acc: vector<4x4xf32>) -> vector<4x4xf32> {
    %0 = arith.extf %a : vector<4x8xf16> to vector<4x8xf32>
    %1 = arith.extf %b : vector<8x4xf16> to vector<8x4xf32>
    // expected-note @below {{requires payload that the rules of @vector.extensions_folded do not change but they would fire: driver.dead x2}}
    %2 = vector.contract {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %0, %1, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    return %2 : vector<4x4xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires payload in form @vector.extensions_folded but has 'func.func' out of it [fw-form-violated]}}
    transform.normalform.assert %f is @vector.extensions_folded : !transform.any_op
    transform.yield
  }
}
