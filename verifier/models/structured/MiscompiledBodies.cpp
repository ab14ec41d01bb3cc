//===- MiscompiledBodies.cpp - Bodies that compute something else -------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The errors of MLIR 22.1 where a step makes another op of a structured one:
// sums in parts, named ops for generic ones, and vectors that are too small.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/Miscompilations.h"

#include "normalforms/CopiedOp.h"
#include "normalforms/PayloadFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <algorithm>

using namespace mlir;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Named ops for generic ones
//===----------------------------------------------------------------------===//

/// The operand of `op` that `value`, in its body, is an element of; null for
/// a value that is computed there.
static Value getOperand(linalg::LinalgOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == op.getBlock()
             ? op->getOperand(argument.getArgNumber())
             : Value();
}

/// Where the body of `was` computes `before` by another op than that by which
/// the body of `is` computes `after`; null where it does not, or where both are
/// not comparable. Both ops have the same operands, maybe in another order.
static Operation *findDifference(linalg::LinalgOp was, Value before,
                                 linalg::LinalgOp is, Value after) {
  Operation *one = before.getDefiningOp(), *other = after.getDefiningOp();
  bool isIn = one && one->getBlock() == was.getBlock(),
       isOtherIn = other && other->getBlock() == is.getBlock();
  if (!isIn || one->hasTrait<OpTrait::ConstantLike>())
    return nullptr;
  if (!isOtherIn)
    return getOperand(is, after) ? one : nullptr;
  if (one->getName() != other->getName() ||
      one->getResultTypes() != other->getResultTypes() ||
      one->getNumOperands() != other->getNumOperands())
    return one;
  auto compare = [&](bool isSwapped) -> Operation * {
    unsigned number = one->getNumOperands();
    for (unsigned i = 0; i != number; ++i) {
      Value mine = one->getOperand(i);
      Value its = other->getOperand(isSwapped ? number - 1 - i : i);
      Value element = getOperand(was, mine), itsElement = getOperand(is, its);
      if (element && itsElement && element != itsElement)
        return one;
      // A value is there where the other body computes one.
      if (element && !itsElement && its.getDefiningOp() &&
          its.getDefiningOp()->getBlock() == is.getBlock())
        return its.getDefiningOp();
      if (Operation *found = findDifference(was, mine, is, its))
        return found;
    }
    return nullptr;
  };
  Operation *found = compare(/*isSwapped=*/false);
  bool commutes =
      one->hasTrait<OpTrait::IsCommutative>() && one->getNumOperands() == 2;
  if (found && commutes && !compare(/*isSwapped=*/true))
    return nullptr;
  return found;
}

/// Whether loops of `is` can stand for those of `was` so that operand `i` of
/// `is` has the elements of operand `order[i]` of `was`. Each map has to be a
/// projected permutation.
static bool indexesAlike(linalg::LinalgOp was, linalg::LinalgOp is,
                         ArrayRef<unsigned> order) {
  llvm::SmallDenseMap<unsigned, unsigned> loops;
  for (auto [i, map] : llvm::enumerate(is.getIndexingMapsArray())) {
    AffineMap before = was.getIndexingMapsArray()[order[i]];
    if (before.getNumResults() != map.getNumResults())
      return false;
    for (unsigned j = 0; j != map.getNumResults(); ++j) {
      auto [it, isNew] =
          loops.insert({map.getDimPosition(j), before.getDimPosition(j)});
      if (it->second != before.getDimPosition(j))
        return false;
    }
  }
  return llvm::all_of(loops, [&](auto pair) {
    return was.getIteratorTypesArray()[pair.second] ==
           is.getIteratorTypesArray()[pair.first];
  });
}

/// Whether `is` surely reads or writes elements of its operands that `was` does
/// not, or pairs them otherwise. Both ops have the same operands, maybe in
/// another order.
static bool indexesOtherwise(linalg::LinalgOp was, linalg::LinalgOp is) {
  auto isPlain = [](AffineMap map) { return map.isProjectedPermutation(); };
  unsigned number = was->getNumOperands();
  if (number != is->getNumOperands() || was.getNumLoops() != is.getNumLoops() ||
      !llvm::all_of(was.getIndexingMapsArray(), isPlain) ||
      !llvm::all_of(is.getIndexingMapsArray(), isPlain))
    return false;
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq(number));
  bool isComparable = false;
  do {
    bool areSame = llvm::all_of(llvm::seq(number), [&](unsigned i) {
      return is->getOperand(i) == was->getOperand(order[i]);
    });
    if (areSame && indexesAlike(was, is, order))
      return false;
    isComparable |= areSame;
  } while (std::next_permutation(order.begin(), order.end() - 1));
  return isComparable;
}

/// How the op to which `generic` is specialized differs from `generic`; none if
/// nothing is known.
static std::optional<std::string> findLostBySpecializing(Operation *generic) {
  formwork::normalforms::CopiedOp copied(generic);
  std::optional<std::string> lost;
  (void)copied.allows([&](Operation *copy) {
    auto was = dyn_cast<linalg::GenericOp>(copy);
    if (!was || was.getNumDpsInits() != 1)
      return false;
    IRRewriter rewriter(copy);
    // The copy goes where it is specialized.
    rewriter.setInsertionPointAfter(copy);
    auto kept = cast<linalg::GenericOp>(rewriter.clone(*copy));
    rewriter.setInsertionPoint(copy);
    FailureOr<linalg::LinalgOp> named =
        linalg::specializeGenericOp(rewriter, was);
    if (failed(named))
      return false;
    rewriter.setInsertionPoint(*named);
    FailureOr<linalg::GenericOp> made =
        linalg::generalizeNamedOp(rewriter, *named);
    if (failed(made))
      return false;
    Operation *found =
        findDifference(kept, kept.getBlock()->getTerminator()->getOperand(0),
                       *made, made->getBlock()->getTerminator()->getOperand(0));
    if (found)
      lost = "does not compute '" + found->getName().getStringRef().str() +
             "' of its body";
    else if (indexesOtherwise(kept, *made))
      lost = "reads other elements of its operands";
    return true;
  });
  return lost;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

static bool readsIndices(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.hasIndexSemantics();
}

//===----------------------------------------------------------------------===//
// Sums that never overflow
//===----------------------------------------------------------------------===//

/// The op that adds to a result of `op` and says that it never overflows, which
/// is not so for partial results; null if there is none. Partial sums without
/// sign are never beyond the whole.
static Operation *findNeverOverflowing(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return nullptr;
  for (BlockArgument result : structured.getRegionOutputArgs())
    for (Operation *user : result.getUsers()) {
      auto flagged = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(user);
      if (flagged &&
          (flagged.hasNoSignedWrap() ||
           (flagged.hasNoUnsignedWrap() && !isa<arith::AddIOp>(user))))
        return user;
    }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Vectors smaller than what they copy
//===----------------------------------------------------------------------===//

/// Whether a vector of `sizes` lacks elements of what `op` inserts. Upstream
/// takes one dimension after the other, and does not ask whether it has a size.
static bool lacksElements(tensor::InsertSliceOp op, ArrayRef<int64_t> sizes) {
  ArrayRef<int64_t> shape = op.getSourceType().getShape();
  return !sizes.empty() &&
         (sizes.size() < shape.size() ||
          llvm::any_of(llvm::zip(shape, sizes), [](auto pair) {
            auto [size, length] = pair;
            return !ShapedType::isDynamic(size) &&
                   !ShapedType::isDynamic(length) && length < size;
          }));
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static std::optional<Miscompiled> findSmallVector(const Step &step,
                                                  NodeId target) {
  auto insert =
      dyn_cast_or_null<tensor::InsertSliceOp>(step.payload[target].op);
  if (!insert ||
      !lacksElements(
          insert, cast<transform::VectorizeOp>(step.op).getStaticVectorSizes()))
    return std::nullopt;
  return Miscompiled{"the vector is smaller than the slice"};
}

static std::optional<Miscompiled> findMovedIndex(const Step &step,
                                                 NodeId target) {
  const Node &node = step.payload[target];
  if (!step.payload.isLikeBody(node) || !readsIndices(node.body))
    return std::nullopt;
  return Miscompiled{"'linalg.index' in its body keeps its number, but the "
                     "loops do not"};
}

static std::optional<Miscompiled> findPartialOverflow(const Step &step,
                                                      NodeId target) {
  const Node &node = step.payload[target];
  Operation *adds =
      step.payload.isLikeBody(node) ? findNeverOverflowing(node.body) : nullptr;
  if (!adds)
    return std::nullopt;
  return Miscompiled{"'" + adds->getName().getStringRef().str() +
                     "' in its body says that it never overflows, but partial "
                     "results may"};
}

static std::optional<Miscompiled> findOtherNamedOp(const Step &step,
                                                   NodeId target) {
  const Node &node = step.payload[target];
  // MLIR crashes where it makes a named op of other elements.
  if (!step.payload.isLikeBody(node) ||
      !formwork::normalforms::hasElementsOfWidth(node.body))
    return std::nullopt;
  std::optional<std::string> lost = findLostBySpecializing(node.body);
  if (!lost)
    return std::nullopt;
  return Miscompiled{"the named op " + *lost};
}

void formwork::verifier::addMiscompiledBodies(
    MiscompilationRegistry &registry) {
  registry.add<transform::VectorizeOp>(findSmallVector);
  registry.add<transform::SplitReductionOp>(findMovedIndex);
  registry.add<transform::SplitReductionOp, transform::TileReductionUsingForOp,
               transform::TileReductionUsingForallOp>(findPartialOverflow);
  registry.add<transform::SpecializeOp>(findOtherNamedOp);
}
