// A step whose failure leads to the next alternative excludes no value of a knob.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: sed 's/knob<"k"> options/knob<"k"> = 7 from options/' %s > %t.selected.mlir
// RUN: formwork apply %t.selected.mlir --validate -o %t.out

// CHECK-NOT: fw-param-infeasible
// CHECK: : proved: 0 errors

module {
  func.func @f() {
    return
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%x: !transform.any_op):
      %one = transform.param.constant 1 : i64 -> !transform.param<i64>
      %k = transform.tune.knob<"k"> options = [7, 5, 2] -> !transform.param<i64>
      transform.match.param.cmpi ge %one, %k : !transform.param<i64>
    }, {
    ^bb0(%x: !transform.any_op):
    }
    transform.yield
  }
}
