//===- CheckTile.cpp - What tiles vectors can compute ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/tiles/VectorizeTile.h"

#include "transforms/tiles/IndexByLoops.h"
#include "transforms/tiles/RowReads.h"
#include "transforms/tiles/TileReductions.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace formwork::transforms::tiles;

/// Whether the dimensions of the result are loops of `op` in their order.
static bool hasResultInLoopOrder(linalg::LinalgOp op, OpOperand &init) {
  AffineMap map = op.getMatchingIndexingMap(&init);
  SmallVector<unsigned> loops;
  for (AffineExpr expr : map.getResults())
    loops.push_back(cast<AffineDimExpr>(expr).getPosition());
  return llvm::is_sorted(loops) &&
         loops.size() == op.getNumLoops() - op.getNumReductionLoops();
}

/// Whether dimension `dim` of `operand` always has `size` elements.
static bool isFull(OpOperand &operand, unsigned dim, int64_t size) {
  auto type = dyn_cast<ShapedType>(operand.get().getType());
  return type && type.getDimSize(dim) == size;
}

/// Calls `visit` for each operand dimension that only `loop` indexes.
static void
forEachPlace(linalg::LinalgOp op, unsigned loop,
             llvm::function_ref<void(OpOperand &operand, unsigned dim)> visit) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (expr == getAffineDimExpr(loop, op->getContext()))
        visit(operand, dim);
  }
}

SmallVector<int64_t>
formwork::transforms::tiles::getVectorSizes(linalg::LinalgOp op,
                                            ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> found(sizes);
  if (found.empty())
    found.assign(op.getNumLoops(), 0);
  if (found.size() == op.getNumLoops())
    for (auto [loop, size] : llvm::enumerate(found))
      if (size == 0)
        size = getMostSteps(op, loop).value_or(0);
  return found;
}

static Refusal refuse(const Twine &message) {
  return {"fw-no-vector-form", message.str()};
}
static Refusal refuseSizes(const Twine &message) {
  return {"fw-vector-sizes", message.str()};
}

static std::string nameOf(linalg::LinalgOp op) {
  return "'" + op->getName().getStringRef().str() + "'";
}

/// Checks that there is a size of at least 1 for each loop.
static std::optional<Refusal> checkSizes(linalg::LinalgOp op,
                                         ArrayRef<int64_t> sizes) {
  if (sizes.size() != op.getNumLoops())
    return refuseSizes("requires a vector size for each of the " +
                       Twine(op.getNumLoops()) + " loops of " + nameOf(op) +
                       " but has " + Twine(sizes.size()));
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    if (size < 0)
      return refuseSizes("requires vector sizes of at least 0 but has " +
                         Twine(size));
    if (size == 0)
      return refuseSizes("requires a vector size for dimension " + Twine(loop) +
                         " of " + nameOf(op) +
                         " but has 0, and how many steps that loop has at most "
                         "is not known");
  }
  return std::nullopt;
}

/// The reductions that an index of `op` adds to another loop, which makes a
/// window of them.
static SmallVector<std::string> findWindowLoops(linalg::LinalgOp op,
                                                ArrayRef<unsigned> known) {
  SmallVector<std::string> found;
  for (unsigned loop = 0; loop != op.getNumLoops(); ++loop)
    if (op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction &&
        !llvm::is_contained(known, loop) &&
        llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
          return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
            return expr.isFunctionOfDim(loop) && !isa<AffineDimExpr>(expr);
          });
        }))
      found.push_back(std::to_string(loop));
  return found;
}

/// Checks that loops alone index the operands, beside those of `windows`.
static std::optional<Refusal> checkIndices(linalg::LinalgOp op,
                                           ArrayRef<unsigned> windows) {
  if (canIndexByLoops(op))
    return std::nullopt;
  bool divides = false;
  for (AffineMap map : op.getIndexingMapsArray())
    map.walkExprs([&](AffineExpr expr) {
      divides |= expr.getKind() == AffineExprKind::Mod ||
                 expr.getKind() == AffineExprKind::FloorDiv;
    });
  SmallVector<std::string> adds = findWindowLoops(op, windows);
  if (!divides && !adds.empty())
    return refuse("requires operands that are indexed by loops alone but " +
                  nameOf(op) +
                  " moves a window over one; tile the loops of the window by "
                  "1: dimension " +
                  llvm::join(adds, ", "));
  if (divides && op.getNumReductionLoops() == 0)
    return refuse("requires tiles that lie in one part of a loop that the "
                  "indices divide but " +
                  nameOf(op) +
                  " may reach into the next; tile that loop by what divides "
                  "its parts");
  return refuse("requires operands that are indexed by loops alone but " +
                nameOf(op) + " has another index");
}

/// Checks the results, and what is computed of an element; `reduces`: there are
/// reductions beside those over `windows`.
static std::optional<Refusal>
checkBody(linalg::LinalgOp op, ArrayRef<unsigned> windows, bool reduces) {
  bool isKnown =
      !reduces || (windows.empty() && matchExtreme(op)) || matchReductions(op);
  if (!isKnown)
    return refuse("requires a reduction that vectors have but " + nameOf(op) +
                  " has another one");
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (reduces && !hasResultInLoopOrder(op, init))
      return refuse("requires a result with all parallel loops, in their "
                    "order, but that of " +
                    nameOf(op) + " has others");
    if (!reduces && op.getMatchingIndexingMap(&init).getNumResults() !=
                        op.getNumLoops() - windows.size())
      return refuse("requires a result with all loops but that of " +
                    nameOf(op) + " has fewer");
  }
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      if (windows.empty() && matchRowRead(op, extract))
        continue;
      return refuse("requires lookups that read one row but " + nameOf(op) +
                    " has one that may read several; tile the loops that "
                    "choose the row by 1, and let the last index be that of a "
                    "loop");
    }
    if (!isa<linalg::IndexOp>(inner) && !isElementwise(&inner))
      return refuse("requires operations that can be done to elements that "
                    "are not there but " +
                    nameOf(op) + " has '" + inner.getName().getStringRef() +
                    "'");
  }
  return std::nullopt;
}

/// Checks that `sizes` cover the loops.
static std::optional<Refusal>
checkCover(linalg::LinalgOp op, ArrayRef<int64_t> sizes, bool isProduct) {
  for (unsigned loop = 0; loop != op.getNumLoops(); ++loop) {
    std::optional<int64_t> most = getMostSteps(op, loop);
    unsigned numInputs = 0;
    bool fills = true;
    forEachPlace(op, loop, [&](OpOperand &operand, unsigned dim) {
      numInputs += op.isDpsInput(&operand);
      fills &= isFull(operand, dim, sizes[loop]);
    });
    if (!most || *most > sizes[loop])
      return refuseSizes("requires vector sizes that cover the loops of " +
                         nameOf(op) + " but has " + Twine(sizes[loop]) +
                         " for dimension " + Twine(loop) +
                         ", which may have more");
    bool isReduced =
        op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
    // With one factor behind its end, the other has real elements: zero times
    // infinity is not zero.
    if (isProduct && isReduced && !fills && numInputs != 2)
      return refuse("requires loops that both factors have, where they are not "
                    "full, but dimension " +
                    Twine(loop) + " of " + nameOf(op) + " is on one only");
  }
  return std::nullopt;
}

std::optional<Refusal>
formwork::transforms::tiles::checkTile(linalg::LinalgOp op,
                                       ArrayRef<int64_t> sizes) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() == 0)
    return refuse("requires an operation on tensors but " + nameOf(op) +
                  " is on buffers; vectorize before bufferization, or with "
                  "transform.structured.vectorize where the tiles divide the "
                  "sizes");
  if (std::optional<Refusal> refusal = checkSizes(op, sizes))
    return refusal;
  SmallVector<unsigned> windows = getWindowLoops(op);
  if (std::optional<Refusal> refusal = checkIndices(op, windows))
    return refusal;
  auto isNumber = [](Type type) {
    return getElementTypeOrSelf(type).isIntOrIndexOrFloat();
  };
  if (!llvm::all_of(op->getOperandTypes(), isNumber))
    return refuse("requires elements that are numbers but " + nameOf(op) +
                  " has others");
  // Without the loops over a window, what is left may be element by element.
  bool reduces = op.getNumReductionLoops() != windows.size();
  bool isProduct = reduces && matchProduct(op);
  if (!isProduct)
    if (std::optional<Refusal> refusal = checkBody(op, windows, reduces))
      return refusal;
  return checkCover(op, sizes, isProduct);
}
