  func.func @f(%a: vector<2x4xbf16>, %b: vector<2x4xbf16>, %c: vector<2x2xf16>) -> vector<2x2xf16> {
    %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<2x4xbf16>, vector<2x4xbf16> into vector<2x2xf16>
    return %0 : vector<2x2xf16>
  }
memref.global "private" @global : memref<4xf32>
module attributes {transform.with_named_sequence} {
transform.named_sequence @part6(%each: !transform.any_op {transform.consumed}) {
transform.apply_cse to %each : !transform.any_op

transform.yield
}
transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
transform.apply_patterns to %module {
      transform.apply_patterns.vector.lower_contraction
    } : !transform.any_op
%h1 = transform.structured.match attributes {t} in %module : (!transform.any_op) -> !transform.any_op
%h0 = transform.structured.specialize %h1 : (!transform.any_op) -> !transform.any_op
%h3 = transform.merge_handles  %module, %module : !transform.any_op
%h7 = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
transform.include @part6 failures(propagate) (%h7) : (!transform.any_op) -> ()
%h10 = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
%h9 = transform.structured.match interface{LinalgOp} in %h10 : (!transform.any_op) -> !transform.any_op
transform.yield
}
}
