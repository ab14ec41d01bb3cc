//===- Padding.cpp - Shapes that are padded -------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Padding.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;
using solver::TermContext;

/// `extent` where it is static whatever the knobs are.
static Extent makeStatic(TermContext &terms, const Extent &extent) {
  StaticCondition condition = *extent.condition;
  condition.holds = terms.truth(true);
  Extent result = extent;
  result.condition = std::make_shared<StaticCondition>(std::move(condition));
  return result;
}

/// Adds dimension `dim`, of `extent`, padded to `multiple`, to `result`.
/// Returns whether something is added to it.
static Certainty padSize(TermContext &terms, PaddedOperand &result,
                         const Extent &extent, const Size &multiple,
                         llvm::function_ref<std::optional<int64_t>()> findBound,
                         llvm::function_ref<bool(BoolTerm)> isSurely) {
  auto add = [&](Extent shape, const Extent &unpadded) {
    result.shape.push_back(std::move(shape));
    result.unpadded.push_back(unpadded);
  };
  if (extent.size.isSymbolic() && extent.condition && multiple == 1) {
    add(makeStatic(terms, extent), extent);
    result.padded.push_back(extent);
    return Certainty::No;
  }
  std::optional<IntTerm> by = toTerm(terms, multiple);
  bool isPositive = by && isSurely(terms.less(terms.constant(0), *by));
  bool isStatic =
      extent.size || (extent.condition && isSurely(extent.condition->holds));
  std::optional<IntTerm> size = toTerm(terms, extent.size);
  if (isPositive && isStatic && size) {
    IntTerm padded = terms.mul(terms.ceilDiv(*size, *by), *by);
    BoolTerm isWhole = terms.equal(padded, *size);
    bool addsNothing = isSurely(isWhole);
    add(makeExtent(padded, {terms.truth(true), nullptr, 0, "", ""}, {}),
        addsNothing ? extent : Extent());
    return addsNothing         ? Certainty::No
           : isWhole.isFalse() ? Certainty::Yes
                               : Certainty::Maybe;
  }
  std::optional<int64_t> bound = extent.size ? std::nullopt : findBound();
  if (bound && *bound > 0 && multiple && *multiple > 0) {
    add({llvm::alignTo(*bound, *multiple), {}}, {});
    return Certainty::Yes;
  }
  add({}, {});
  // Its bound is a constant, but not one that is known here.
  return extent.size || !extent.reason.definite ? Certainty::Maybe
                                                : Certainty::Yes;
}

std::optional<PaddedOperand>
formwork::verifier::padOperand(TermContext &terms, const IterationSpace &space,
                               unsigned operand, const PadSpec &spec,
                               const OperandSizes &sizes) {
  PaddedOperand result;
  for (auto [dim, expr] : llvm::enumerate(space.maps[operand].getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop)
      return std::nullopt;
    const Extent &whole = space.loops[loop.getPosition()];
    Extent extent = sizes.getExtent(dim, whole);
    const int64_t *at = llvm::find(spec.dims, int64_t(loop.getPosition()));
    if (at == spec.dims.end()) {
      result.isCopy &= extent.size || extent.condition;
      result.shape.push_back(extent);
      result.unpadded.push_back(extent);
      continue;
    }
    Certainty isPadded = padSize(
        terms, result, extent, spec.multiples[at - spec.dims.begin()],
        [&, dim = dim] { return sizes.findBound(dim, whole); }, sizes.isSurely);
    result.isPadded = std::max(result.isPadded, isPadded);
    result.isCopy &= isPadded == Certainty::No;
  }
  if (spec.keeps(operand))
    result.isPadded = Certainty::Yes;
  return result;
}

std::shared_ptr<const IterationSpace>
formwork::verifier::getElementwiseSpace(MLIRContext *context,
                                        ArrayRef<Extent> shape,
                                        Type elementType, unsigned numInputs) {
  auto space = std::make_shared<IterationSpace>();
  space->loops.assign(shape.begin(), shape.end());
  space->iterators.assign(shape.size(), utils::IteratorType::parallel);
  space->maps.assign(numInputs + 1,
                     AffineMap::getMultiDimIdentityMap(shape.size(), context));
  space->elementTypes.assign(numInputs + 1, elementType);
  return space;
}
