// A handle that a body or a sequence set is none behind it: what a rewrite replaces
// later, it need not follow. A body that is running has its handles still.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/left.mlir --strict
// RUN: formwork apply %t/payload.mlir --transform=%t/left.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/running.mlir 2>&1 | FileCheck %s
// RUN: not mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/running.mlir --transform-interpreter -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=STOCK

// CHECK: cannot prove that 'transform.apply_patterns' succeeds: may replace payload of %one, which is used later, by something that no handle can follow
// STOCK: tracking listener failed to find replacement op

//--- payload.mlir
func.func @f(%A: tensor<8xf32>, %B: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]} ins(%A : tensor<8xf32>) outs(%B : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

//--- left.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @look(%f: !transform.any_op {transform.readonly}) {
    %copies = transform.structured.match ops{["linalg.generic"]} in %f : (!transform.any_op) -> !transform.any_op
    transform.foreach %copies : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      transform.annotate %one "note" : !transform.any_op
    }
    transform.annotate %copies "seen" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.include @look failures(propagate) (%f) : (!transform.any_op) -> ()
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}

//--- running.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @clean(%f: !transform.any_op {transform.readonly}) {
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %copies = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.foreach %copies : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      transform.include @clean failures(propagate) (%f) : (!transform.any_op) -> ()
      transform.annotate %one "note" : !transform.any_op
    }
    transform.yield
  }
}
