// A matcher that first asks for a structured op matches nothing else: what a clean-up may
// have left in a function, arithmetic and slices, need not be known op by op.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/schedule.mlir --strict
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir --validate -o %t.out
// RUN: sed 's/match.structured %op/match.structured failures(suppress) %op/' %t/schedule.mlir > %t/suppressed.mlir
// Of an action that only writes attributes, or reads, no more is needed.
// RUN: sed 's/"marked"/"my.mark"/' %t/suppressed.mlir > %t/prefixed.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/prefixed.mlir --strict --static
// RUN: formwork apply %t/payload.mlir --transform=%t/prefixed.mlir --validate -o %t.out
// RUN: formwork check --static %t/payload.mlir --transform=%t/suppressed.mlir 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: sed '/@mark(/s/readonly/consumed/; s/transform.annotate %%op "marked" : !transform.any_op/%%g = transform.structured.generalize %%op : (!transform.any_op) -> !transform.any_op/' %t/suppressed.mlir > %t/changed.mlir
// RUN: formwork check --static %t/payload.mlir --transform=%t/changed.mlir 2>&1 | FileCheck %s

// MODULE-NOT: transform.foreach_match
// MODULE: cannot prove that 'transform.annotate' succeeds: may give a module an attribute without the prefix
// CHECK: cannot prove that 'transform.foreach_match' succeeds: walks payload of which some ops are not known

//--- payload.mlir
func.func @f(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%b : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_structured(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%structured: !transform.any_op):
      transform.match.structured.rank %structured : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.yield
    }
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "marked" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    %same = transform.foreach_match in %f @is_structured -> @mark : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
