// A loop that a step made is matched by what it is mapped to, until a step names that
// attribute.
// RUN: formwork check %s --static --trace 2>/dev/null | FileCheck %s --check-prefix=FOUND
// FOUND: %blocks_again{{ +}}valid{{ +}}1 scf.forall
// FOUND: %threads_again{{ +}}valid{{ +}}1 scf.forall
// RUN: formwork apply %s --validate -o /dev/null

// RUN: sed 's/mapping = .#gpu.thread<x>.} in %%bufferized/mapping = [#gpu.thread<y>]} in %%bufferized/' %s > %t.mlir
// RUN: formwork check %t.mlir --static 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: requires a payload op to match {{.*}}[fw-empty-match]

// RUN: sed 's/  .. ANNOTATED/  transform.annotate %%any "mapping" : !transform.any_op/' %s > %t.mlir
// RUN: formwork check %t.mlir --static --trace 2>/dev/null | FileCheck %s --check-prefix=NAMED
// NAMED: %threads_again{{ +}}valid{{ +}}0..

func.func @f(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.exp ins(%x : tensor<64xf32>) outs(%y : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %blocks = transform.structured.tile_using_forall %exp tile_sizes [16] (mapping = [#gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part, %threads = transform.structured.tile_using_forall %tile tile_sizes [4] (mapping = [#gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %bufferized = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %any = transform.structured.match ops{["scf.forall"]} in %bufferized : (!transform.any_op) -> !transform.any_op
    // ANNOTATED
    %blocks_again = transform.structured.match ops{["scf.forall"]} attributes{mapping = [#gpu.block<x>]} in %bufferized : (!transform.any_op) -> !transform.any_op
    %threads_again = transform.structured.match ops{["scf.forall"]} attributes{mapping = [#gpu.thread<x>]} in %bufferized : (!transform.any_op) -> !transform.any_op
    transform.annotate %blocks_again "outer" : !transform.any_op
    transform.annotate %threads_again "inner" : !transform.any_op
    transform.yield
  }
}
