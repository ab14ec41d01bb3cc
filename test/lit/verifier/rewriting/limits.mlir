// The driver of what is isolated takes a limit that it reaches at once for success, and does
// nothing; an iteration without rewrites still erases what is dead, and asks for another; a limit that it may reach later makes it
// fail, as any limit does where the target is not isolated. Whether it comes so far, a trial says.
// RUN: split-file %s %t
// RUN: sed -e s/LIMIT/max_iterations/ -e s/NUMBER/0/ %t/function.mlir > %t/none.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/none.mlir --validate -o - | FileCheck %s --check-prefix=KEPT
// RUN: sed -e s/LIMIT/max_num_rewrites/ -e s/NUMBER/-2/ %t/function.mlir > %t/none.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed -e s/LIMIT/max_num_rewrites/ -e s/NUMBER/-2147483648/ %t/function.mlir > %t/least.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t/least.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/least.mlir --validate -o - | FileCheck %s --check-prefix=KEPT
// RUN: sed -e s/LIMIT/max_iterations/ -e s/NUMBER/3/ %t/function.mlir > %t/some.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t/some.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/some.mlir --validate -o %t/out.mlir
// RUN: sed -e s/LIMIT/max_iterations/ -e s/NUMBER/1/ %t/function.mlir > %t/one.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t/one.mlir 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: sed -e 's/LIMIT = NUMBER/max_iterations = 1 : i64, max_num_rewrites = 0/' %t/function.mlir > %t/both.mlir
// RUN: formwork check --static %inputs/matmul.mlir --transform=%t/both.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/both.mlir --validate -o %t/out.mlir
// RUN: sed -e s/LIMIT/max_num_rewrites/ -e s/NUMBER/0/ %t/loop.mlir > %t/loop-none.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t/loop-none.mlir 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: not formwork apply %inputs/matmul.mlir --transform=%t/loop-none.mlir -o - 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: sed -e s/LIMIT/max_iterations/ -e s/NUMBER/1/ %t/loop.mlir > %t/loop-one.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t/loop-one.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/loop-one.mlir --validate -o %t/out.mlir

// NONE: : proved: 0 errors
// KEPT: scf.for
// SOME: fails when it reaches its own limit
// FAILS: greedy pattern application failed

//--- function.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } {LIMIT = NUMBER : i64} : !transform.any_op
    transform.yield
  }
}

//--- loop.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %loop {
      transform.apply_patterns.canonicalization
    } {LIMIT = NUMBER : i64} : !transform.any_op
    transform.yield
  }
}
