// Where clean-up finds the size of the tensor that a mask writes to, it puts a
// cast into the mask, which holds one op. A size that it cannot find stays so
// until a step changes the loop on which it depends.
// RUN: split-file %s %t
// RUN: cat %t/payload %t/open %t/canonicalize > %t/open.mlir
// RUN: formwork check --static %t/open.mlir 2>&1 | FileCheck %s
// RUN: not formwork apply --unchecked %t/open.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: cat %t/payload %t/open %t/pass > %t/open-pass.mlir
// RUN: formwork check --static %t/open-pass.mlir 2>&1 | FileCheck %s
// RUN: cat %t/payload %t/cut %t/canonicalize > %t/cut.mlir
// RUN: formwork check --static --strict %t/cut.mlir
// RUN: formwork apply --unchecked %t/cut.mlir -o - | FileCheck %s --check-prefix=MASKED
// RUN: cat %t/payload %t/cut %t/unroll %t/canonicalize > %t/unrolled.mlir
// RUN: formwork check --static %t/unrolled.mlir 2>&1 | FileCheck %s
// RUN: not formwork apply --unchecked %t/unrolled.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: cat %t/payload %t/cut %t/peel %t/canonicalize > %t/peeled.mlir
// RUN: formwork check --static %t/peeled.mlir 2>&1 | FileCheck %s
// RUN: not formwork apply --unchecked %t/peeled.mlir 2>&1 | FileCheck %s --check-prefix=FAILS

// CHECK: where a vector.mask, which holds one op, may write to a tensor of a size that folding finds
// CHECK: unproved: 0 errors
// FAILS: 'vector.mask' op expects only one operation to mask
// MASKED: vector.mask

//--- payload
func.func @f(%a: tensor<9xf32>) -> tensor<9xf32> {
  %0 = linalg.exp ins(%a : tensor<9xf32>) outs(%a : tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
//--- open
    %tile, %loop = transform.structured.tile_using_for %exp tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %tile vector_sizes [16] : !transform.any_op
//--- cut
    %tile, %loop = transform.structured.tile_using_for %exp tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %tile vector_sizes [4] : !transform.any_op
//--- unroll
    transform.loop.unroll %loop {factor = 3} : !transform.any_op
//--- peel
    %for = transform.cast %loop : !transform.any_op to !transform.op<"scf.for">
    %main, %rest = transform.loop.peel %for : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
//--- canonicalize
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
//--- pass
    %same = transform.apply_registered_pass "canonicalize" to %func : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
