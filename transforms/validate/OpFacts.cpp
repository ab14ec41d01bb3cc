//===- OpFacts.cpp - What is inferred of one payload op ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/OpFacts.h"

#include "verifier/payload/ReadOp.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace formwork::transforms;
using namespace formwork::verifier;

std::string formwork::transforms::stringify(const Count &count) {
  if (count.isExact())
    return std::to_string(count.lo);
  if (count.hi == Count::unbounded)
    return "at least " + std::to_string(count.lo);
  return "between " + std::to_string(count.lo) + " and " +
         std::to_string(count.hi);
}

std::string formwork::transforms::stringify(Attribute attribute) {
  return debugString(attribute);
}

static std::string stringify(const Extent &extent) {
  return extent.size ? std::to_string(*extent.size) : "dynamic";
}

/// How the number of a loop dimension that was read off an op refutes the one
/// that was inferred.
static std::optional<OpDifference> compareExtent(const llvm::Twine &what,
                                                 const Extent &inferred,
                                                 const Extent &actual) {
  bool differs = inferred.size ? inferred.size != actual.size
                               : inferred.reason.definite && bool(actual.size);
  if (inferred.isStatic() && !differs && actual.isMixed)
    return OpDifference{(what + " to be in the types of all operands").str(),
                        "an operand that leaves it open"};
  if (!differs)
    return std::nullopt;
  return OpDifference{(what + " to be " + stringify(inferred)).str(),
                      stringify(actual)};
}

/// `actual` is the space of `op`.
static std::optional<OpDifference> compareSpace(const IterationSpace &inferred,
                                                const IterationSpace &actual,
                                                linalg::LinalgOp op) {
  auto number = [](size_t a, size_t b,
                   StringRef what) -> std::optional<OpDifference> {
    if (a == b)
      return std::nullopt;
    return OpDifference{std::to_string(a) + " " + what.str(),
                        std::to_string(b)};
  };
  if (auto difference =
          number(inferred.loops.size(), actual.loops.size(), "loops"))
    return difference;
  if (inferred.iterators != actual.iterators)
    return OpDifference{"other iterator types", "these"};
  if (inferred.maps != actual.maps)
    return OpDifference{"other indexing maps", "these"};
  for (auto [dim, loop] : llvm::enumerate(actual.loops)) {
    // A fact that is open for another loop, without an inferred size, is not
    // wrong.
    Extent extent = loop;
    extent.isMixed = isOpenInSome(op, dim, inferred);
    if (auto difference = compareExtent("the size of loop " + Twine(dim),
                                        inferred.loops[dim], extent))
      return difference;
  }
  if (inferred.elementTypes != actual.elementTypes)
    return OpDifference{"other element types", "these"};
  if (auto difference = number(inferred.numInits, actual.numInits, "inits"))
    return difference;
  if (inferred.onTensors != actual.onTensors)
    return OpDifference{inferred.onTensors ? "tensors" : "buffers",
                        actual.onTensors ? "tensors" : "buffers"};
  return std::nullopt;
}

static std::optional<OpDifference> compareLoop(const LoopFacts &inferred,
                                               const LoopFacts &actual) {
  if (inferred.isForall != actual.isForall)
    return OpDifference{inferred.isForall ? "an scf.forall" : "an scf.for",
                        "the other"};
  if (inferred.trips.size() != actual.trips.size())
    return OpDifference{std::to_string(inferred.trips.size()) +
                            " loop dimensions",
                        std::to_string(actual.trips.size())};
  for (auto [dim, pair] :
       llvm::enumerate(llvm::zip(inferred.trips, actual.trips)))
    if (auto difference = compareExtent("trip count " + Twine(dim),
                                        std::get<0>(pair), std::get<1>(pair)))
      return difference;
  if (inferred.totalAtMost) {
    int64_t total = 1;
    for (const Extent &trip : actual.trips)
      total *= trip.size ? *trip.size : 0;
    if (total > *inferred.totalAtMost)
      return OpDifference{"at most " + std::to_string(*inferred.totalAtMost) +
                              " iterations in all",
                          std::to_string(total)};
  }
  if (inferred.mapping != actual.mapping)
    return OpDifference{"another mapping", "this one"};
  if (!inferred.mayCarryVectors && inferred.hasResults != actual.hasResults)
    return OpDifference{inferred.hasResults ? "a loop that yields tensors"
                                            : "a loop that yields no tensors",
                        "the other"};
  return std::nullopt;
}

/// Whether all that a structured op computes has a form on vectors. Models look
/// at its body for this alone. Clean-up may simplify the body, and tiling
/// shifts indices by an affine.apply.
static bool computesElementwise(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && llvm::all_of(*linalgOp.getBlock(), [](Operation &inner) {
           return OpTrait::hasElementwiseMappableTraits(&inner) ||
                  inner.hasTrait<OpTrait::ConstantLike>() ||
                  isa<affine::AffineApplyOp, linalg::IndexOp, linalg::YieldOp>(
                      inner);
         });
}

std::optional<OpDifference> formwork::transforms::compareFacts(const Node &node,
                                                               Operation *op) {
  if (node.space)
    if (std::shared_ptr<const IterationSpace> actual = readSpace(op))
      if (auto difference =
              compareSpace(*node.space, *actual, cast<linalg::LinalgOp>(op)))
        return difference;
  if (node.loop) {
    std::shared_ptr<const LoopFacts> actual = readLoop(op);
    if (!actual)
      return OpDifference{"an scf.forall or scf.for", "another op"};
    if (auto difference = compareLoop(*node.loop, *actual))
      return difference;
  }
  DictionaryAttr tags = op->getDiscardableAttrDictionary();
  if (node.exact && !node.tags.mayBe(tags))
    return OpDifference{"the attributes " + stringify(node.tags.getKnown()),
                        stringify(tags)};
  if (node.body && node.body->getName() == op->getName() &&
      computesElementwise(node.body) && !computesElementwise(op))
    return OpDifference{"a body that computes elements alone", "another"};
  if (node.isCopy) {
    auto pad = dyn_cast<tensor::PadOp>(op);
    if (!pad || !pad.getNofold() ||
        pad.getSourceType().getShape() != pad.getResultType().getShape())
      return OpDifference{"a pad that copies", "another op"};
  }
  return std::nullopt;
}
