//===- CountingOps.td - Transform operations of one's own -*- tablegen -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COUNTING_OPS
#define COUNTING_OPS

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CountOp : Op<Transform_Dialect, "counting.count",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     TransformEachOpTrait, TransformOpInterface]> {
  let summary = "says how many operations each target holds, and marks it";
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def BatchOp : Op<Transform_Dialect, "counting.batch",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<TransformOpInterface>]> {
  let summary = "puts the steps of a loop into batches of one size";
  let description = [{
    Each `scf.for` becomes a loop over batches, and one over the steps of a batch
    in it. Fails where `size` does not divide the number of steps.
  }];
  let arguments = (ins TransformHandleTypeInterface:$loop,
                       TransformParamTypeInterface:$size);
  let results = (outs TransformHandleTypeInterface:$batches,
                      TransformHandleTypeInterface:$steps);
  let assemblyFormat =
      "$loop `by` $size attr-dict `:` functional-type(operands, results)";
}

#endif // COUNTING_OPS
