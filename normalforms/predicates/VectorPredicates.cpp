//===- VectorPredicates.cpp - Predicates on vectors -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/predicates/Predicates.h"

#include "normalforms/IR/NormalFormOps.h"
#include "normalforms/predicates/PerOp.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace formwork::normalforms;

/// loadable-vectors: the ops that the conversion of a kernel to NVVM can
/// translate. This predicate leaves out some ops that NVVM accepts only for
/// vectors of rank 1, or after folding.
static void checkLoadableVectors(Operation *op, ViolationSink &sink) {
  if (isa<vector::TransferReadOp, vector::TransferWriteOp>(op))
    return sink.report(
        op, 1, "requires plain vector loads and stores but has " + toText(op));
  if (isa<vector::ContractionOp, vector::OuterProductOp,
          vector::MultiDimReductionOp, vector::TransposeOp, vector::ShapeCastOp,
          vector::ExtractStridedSliceOp>(op))
    return sink.report(op, 2,
                       "requires element-wise arithmetic on vectors but has " +
                           toText(op));
  VectorType vector;
  if (auto load = dyn_cast<vector::LoadOp>(op))
    vector = load.getVectorType();
  else if (auto store = dyn_cast<vector::StoreOp>(op))
    vector = store.getVectorType();
  if (vector && vector.getRank() > 1)
    sink.report(op, 3,
                "requires loads and stores of vectors of rank 1 but " +
                    toText(op) + " has one of type " + toText(vector));
}

/// identity-transfers: required for loads and stores of contiguous elements.
static void checkIdentityTransfers(Operation *op, ViolationSink &sink) {
  auto transfer = dyn_cast<VectorTransferOpInterface>(op);
  if (transfer && !transfer.getPermutationMap().isMinorIdentity())
    sink.report(op, 1,
                "requires transfers along the innermost dimensions but " +
                    toText(op) + " permutes");
}

void formwork::normalforms::registerVectorPredicates(
    NormalFormDialect &dialect) {
  dialect.registerPredicate(createPerOpPredicate(
      "loadable-vectors",
      {"no vector transfer",
       "no contraction, outer product, multi-dimensional reduction, transpose, "
       "shape cast, strided slice",
       "no load or store of a vector of rank above 1"},
      checkLoadableVectors));
  dialect.registerPredicate(createPerOpPredicate(
      "identity-transfers", {"no transfer whose map is not a minor identity"},
      checkIdentityTransfers));
}
