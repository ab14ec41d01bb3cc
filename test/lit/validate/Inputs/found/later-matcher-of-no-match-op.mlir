  func.func @f(%A: memref<8x8xf32>, %B: memref<8x8xf32>, %C: memref<8x8xf32>) {
    linalg.matmul ins(%A, %B : memref<8x8xf32>, memref<8x8xf32>) outs(%C : memref<8x8xf32>)
    return
  }
module attributes {transform.with_named_sequence} {
transform.named_sequence @part0(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
%ok = transform.merge_handles %op : !transform.any_op
transform.yield %ok : !transform.any_op
}
transform.named_sequence @part1(%each: !transform.any_op {transform.readonly}) {

transform.yield
}
transform.named_sequence @part5(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
transform.match.operation_name %op ["func.func", "scf.for"] : !transform.any_op
%value = transform.get_result %op[0] : (!transform.any_op) -> !transform.any_value
%ok = transform.match.structured failures(propagate) %op : (!transform.any_op) -> !transform.any_op {
^bb0(%s: !transform.any_op):
transform.match.structured.dim %s[-1] {reduction} : !transform.any_op
%h2 = transform.match.structured.input %s[0] : (!transform.any_op) -> !transform.any_value
%h3 = transform.match.structured.elemental_bitwidth %h2 : (!transform.any_value) -> !transform.param<i64>
%h4 = transform.param.constant 1 : i64 -> !transform.param<i64>
transform.match.param.cmpi ne %h3, %h4 : !transform.param<i64>
transform.match.structured.yield %s : !transform.any_op
}
transform.yield %ok : !transform.any_op
}
transform.named_sequence @part9(%each: !transform.any_op {transform.consumed}) {
%h6, %h7:1 = transform.structured.fuse %each tile_sizes [1]  {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

transform.yield
}
transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
%m = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
%t, %l = transform.structured.tile_using_for %m tile_sizes [3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%o = transform.cast %l : !transform.any_op to !transform.op<"scf.for">
%x, %y = transform.loop.peel %o : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
transform.foreach_match in %module
      @part0 -> @part1,
      @part5 -> @part9 : (!transform.any_op) -> !transform.any_op
transform.yield
}
}
