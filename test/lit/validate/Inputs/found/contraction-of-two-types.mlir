// formwork check --static 01-structured-vectorize.mlir   (proved); stock MLIR leaves invalid IR: 'vector.contract' op failed to verify that lhs and rhs have same element type
// features: ordinary
module @scope {
  func.func @f(%arg0: tensor<13x8xf16>, %arg1: tensor<8x16xi32>, %arg2: tensor<13x16xf16>) {
    %0 = linalg.matmul {t} ins(%arg0, %arg1 : tensor<13x8xf16>, tensor<8x16xi32>) outs(%arg2 : tensor<13x16xf16>) -> tensor<13x16xf16>
    return
  }
"builtin.module"() ({
  "transform.named_sequence"() <{arg_attrs = [{transform.consumed}], function_type = (!transform.any_op) -> (), sym_name = "part2"}> ({
  ^bb0(%arg1: !transform.any_op):
    %1 = "transform.structured.match"(%arg1) <{op_attrs = {t}}> : (!transform.any_op) -> !transform.any_op
    "transform.structured.vectorize"(%1) <{create_named_contraction}> : (!transform.any_op) -> ()
    "transform.yield"() : () -> ()
  }) : () -> ()
  "transform.named_sequence"() <{arg_attrs = [{transform.readonly}], function_type = (!transform.any_op) -> (), sym_name = "__transform_main"}> ({
  ^bb0(%arg0: !transform.any_op):
    %0 = "transform.structured.match"(%arg0) <{ops = ["func.func"]}> : (!transform.any_op) -> !transform.any_op
    "transform.include"(%0) <{failure_propagation_mode = 2 : i32, target = @part2}> : (!transform.any_op) -> ()
    "transform.yield"() : () -> ()
  }) : () -> ()
}) {transform.with_named_sequence} : () -> ()
}
