func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %d = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // A comment stays, and so does the layout.
    %tile = transform.tune.knob // of a "<trap>"
      < "tile" > options = [2, 4, 8] -> !transform.param<i64>
    %wide = transform.tune.knob<"wide"> options = [8 : i32, 16 : i32] -> !transform.param<i32>
    %half = transform.smt.constrain_params(%tile) : (!transform.param<i64>) -> !transform.param<i64> {
    ^bb0(%t: !smt.int):
      %two = smt.int.constant 2
      %more = smt.int.cmp gt %t, %two
      smt.assert %more
      %result = smt.int.div %t, %two
      smt.yield %result : !smt.int
    }
    %both:2 = transform.smt.constrain_params(%tile, %half) : (!transform.param<i64>, !transform.param<i64>) -> (!transform.param<i64>, !transform.param<i64>) {
    ^bb0(%t: !smt.int, %h: !smt.int):
      %product = smt.int.mul %t, %h
      smt.yield %product, %product : !smt.int, !smt.int
    } // behind
    // The next op gives nothing that is used, and goes with its line.
    %unused = transform.smt.constrain_params(%both#1, %wide) : (!transform.param<i64>, !transform.param<i32>) -> !transform.param<i64> {
    ^bb0(%b: !smt.int, %w: !smt.int):
      %less = smt.int.cmp lt %b, %w
      smt.assert %less
      smt.yield %b : !smt.int
    }
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %matmul
        tile_sizes [%both#0, %half]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %one = transform.param.constant 1 : i64 -> !transform.param<i64> transform.smt.constrain_params(%one) : (!transform.param<i64>) -> () {
    ^bb0(%o: !smt.int):
    } transform.debug.emit_param_as_remark %one : !transform.param<i64>
    transform.tune.alternatives<"which"> {
      transform.smt.constrain_params() : () -> () {
        %false = smt.constant false
        smt.assert %false
      }
    }, {
      transform.annotate %tiled "chosen" : !transform.any_op
    }
    transform.yield
  }
}
