//===- Contractions.cpp - Contractions that are not valid -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the verifier of `vector.contract` refuses, and MLIR's rules may make.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/rewriting/Contractions.h"

#include "engine/AnyBelow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

/// The type of which `value` is an extension, if it is one.
static Type getNarrowType(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op)
             ? getElementTypeOrSelf(op->getOperand(0).getType())
             : getElementTypeOrSelf(value.getType());
}

/// Whether `op` multiplies numbers of two types, or may be vectorized to that.
static bool hasFactorsOfTwoTypes(Operation *op) {
  if (auto contract = dyn_cast<vector::ContractionOp>(op))
    return getNarrowType(contract.getLhs()) != getNarrowType(contract.getRhs());
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumReductionLoops() != 0 &&
         !llvm::all_equal(
             llvm::map_range(linalgOp.getDpsInputs(), [](Value input) {
               return getElementTypeOrSelf(input.getType());
             }));
}

void formwork::verifier::foldExtensions(const Step &step) {
  step.state.foldsExtensions = true;
  Operation *given = step.analysis.payloadRoot;
  if (given && anyBelow(given, hasFactorsOfTwoTypes))
    step.unprove("may make a contraction of factors of two types");
}

/// Whether `op` sums to one number along several dimensions, one of which an
/// input may lack. Of vectors of size 1, it is unknown which they were of.
static bool sumsBroadcast(Operation *op) {
  if (isa<vector::ContractionOp, vector::MultiDimReductionOp>(op))
    return !isa<VectorType>(op->getResult(0).getType());
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumReductionLoops() < 2)
    return false;
  SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
  bool isToNumber = true, isBroadcast = false;
  for (auto [dim, kind, size] : llvm::enumerate(
           linalgOp.getIteratorTypesArray(), linalgOp.getStaticLoopRanges())) {
    if (kind == utils::IteratorType::parallel)
      isToNumber &= size == 1;
    else
      isBroadcast |= llvm::any_of(
          ArrayRef(maps).take_front(linalgOp.getNumDpsInputs()),
          [dim = dim](AffineMap map) { return !map.isFunctionOfDim(dim); });
  }
  return isToNumber && isBroadcast;
}

void formwork::verifier::foldBroadcasts(const Step &step) {
  Operation *given = step.analysis.payloadRoot;
  if (given && anyBelow(given, sumsBroadcast))
    step.unprove("may drop a dimension of a contraction to one number, which "
                 "is not valid then");
}
