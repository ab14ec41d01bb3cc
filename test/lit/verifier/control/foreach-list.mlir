// The list of a foreach is taken when it begins. What an iteration cleans up may be an op in it,
// on which the interpreter goes on all the same: it reads memory that was freed, and mostly
// crashes.
// RUN: split-file %s %t
// RUN: formwork check %t/dead.mlir --transform=%t/cse.mlir 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: not --crash mlir-opt %t/dead.mlir --transform-preload-library=transform-library-paths=%t/cse.mlir --transform-interpreter -o /dev/null
// RUN: formwork check %t/cast.mlir --transform=%t/canonicalize.mlir 2>&1 | FileCheck %s --check-prefix=GONE

// An op that is read and has static types stays.
// RUN: sed 's/return %%0, %%0/return %%0, %%1/' %t/dead.mlir > %t/live.mlir
// RUN: formwork check %t/live.mlir --transform=%t/cse.mlir 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: formwork apply %t/live.mlir --transform=%t/cse.mlir --validate -o /dev/null
// RUN: formwork check %t/live.mlir --transform=%t/canonicalize.mlir 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: formwork apply %t/live.mlir --transform=%t/canonicalize.mlir --validate -o /dev/null

// A pass of a form runs on a copy, which takes the place of everything.
// RUN: formwork check %t/division.mlir --transform=%t/copy.mlir --forms=%t/forms.mlir 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: sed 's/normalize %%func to @expanded/normalize %%func to @simple/' %t/copy.mlir > %t/inplace.mlir
// RUN: formwork check %t/division.mlir --transform=%t/inplace.mlir --forms=%t/forms.mlir 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: formwork apply %t/division.mlir --transform=%t/inplace.mlir --forms=%t/forms.mlir --validate -o /dev/null

// GONE: cannot prove that 'transform.foreach' succeeds: may use an op that an earlier iteration replaced or erased
// GONE: : unproved:
// STAYS: : proved: 0 errors, 0 warnings

//--- dead.mlir
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.exp ins(%0 : tensor<4x8xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %0 : tensor<4x8xf32>, tensor<4x8xf32>
}

//--- cast.mlir
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<?x?xf32>) -> (tensor<4x8xf32>, tensor<?x?xf32>) {
  %0 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>
  %cast = tensor.cast %a : tensor<4x8xf32> to tensor<?x?xf32>
  %1 = linalg.exp ins(%cast : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<?x?xf32>
}

//--- cse.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %exps = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %exps : !transform.any_op {
    ^bb0(%exp: !transform.any_op):
      %generic = transform.structured.generalize %exp : (!transform.any_op) -> !transform.any_op
      transform.apply_cse to %func : !transform.any_op
    }
    transform.yield
  }
}

//--- canonicalize.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %exps = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %exps : !transform.any_op {
    ^bb0(%exp: !transform.any_op):
      %tile, %loop = transform.structured.tile_using_for %exp tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.apply_patterns to %func {
        transform.apply_patterns.canonicalization
      } : !transform.any_op
    }
    transform.yield
  }
}

//--- division.mlir
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %n: index) -> (tensor<4x8xf32>, tensor<4x8xf32>, index) {
  %c2 = arith.constant 2 : index
  %d = arith.ceildivsi %n, %c2 : index
  %0 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.exp ins(%0 : tensor<4x8xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1, %d : tensor<4x8xf32>, tensor<4x8xf32>, index
}

//--- forms.mlir
normalform.form @expanded summary "divisions are expanded" {
  normalform.procedure "pass:arith-expand"
}
normalform.form @simple summary "equal expressions are merged" {
  normalform.procedure "cse"
}

//--- copy.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %exps = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %exps : !transform.any_op {
    ^bb0(%exp: !transform.any_op):
      %generic = transform.structured.generalize %exp : (!transform.any_op) -> !transform.any_op
      transform.normalform.normalize %func to @expanded : !transform.any_op
    }
    transform.yield
  }
}
