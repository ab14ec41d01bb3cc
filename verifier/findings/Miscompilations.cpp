//===- Miscompilations.cpp - Steps that change what is computed -----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/findings/Miscompilations.h"

#include "verifier/findings/MiscompiledLoops.h"
#include "verifier/findings/MiscompiledTiles.h"

#include "normalforms/CopiedOp.h"
#include "normalforms/PayloadFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <algorithm>

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Named ops for generic ones
//===----------------------------------------------------------------------===//

/// The operand of `op` that `value`, in its body, is an element of; null for
/// what is computed there.
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

/// What the op which `generic` is specialized to does not do as `generic` does;
/// none if nothing is known.
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
// Ops below a target
//===----------------------------------------------------------------------===//

namespace {
/// An op that a step makes something else of, and how.
struct Miscompiled {
  Operation *op;
  std::string why;
  StringRef fix = {};
  /// It accesses elements out of bounds, whatever it computes.
  bool reachesOut = false;
};
} // namespace

/// Whether `op` accesses a vector whose dimensions are, counted from the last,
/// others than those of what its view expands. Folding the view takes the ones
/// for the others.
static bool accessesExpanded(Operation *op) {
  Value base;
  VectorType type;
  if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
    if (!read.getPermutationMap().isMinorIdentity())
      return false;
    base = read.getBase();
    type = read.getVectorType();
  } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    base = load.getBase();
    type = load.getVectorType();
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    base = store.getBase();
    type = store.getVectorType();
  }
  auto view = base ? base.getDefiningOp<memref::ExpandShapeOp>()
                   : memref::ExpandShapeOp();
  if (!view)
    return false;
  SmallVector<ReassociationIndices> groups = view.getReassociationIndices();
  int64_t rank = type.getRank();
  int64_t firstOfView = view.getResultType().getRank() - rank;
  int64_t firstOfSource = static_cast<int64_t>(groups.size()) - rank;
  if (firstOfSource < 0)
    return false;
  return llvm::any_of(llvm::seq(rank), [&](int64_t i) {
    return type.getDimSize(i) != 1 &&
           groups[firstOfSource + i].back() != firstOfView + i;
  });
}

static bool rewrites(Operation *step) {
  return isa<transform::ApplyPatternsOp>(step) ||
         step->getName().getStringRef() == "transform.normalform.normalize";
}

/// Whether `step`, which rewrites, runs the group of rules `name`.
static bool runsGroup(const Step &step, StringRef name) {
  auto isIt = [&](Operation *group) {
    return group->getName().stripDialect() == name;
  };
  if (auto patterns = dyn_cast<transform::ApplyPatternsOp>(step.op))
    return llvm::any_of(patterns.getPatterns().front(),
                        [&](Operation &group) { return isIt(&group); });
  auto symbol = step.op->getAttrOfType<FlatSymbolRefAttr>("form");
  std::optional<formwork::normalforms::AtomId> form =
      symbol ? step.forms.lattice().lookup(symbol.getValue()) : std::nullopt;
  return form && llvm::any_of(step.forms.getForm(*form).descriptors, isIt);
}

/// Whether `op` is a loop whose results canonicalization exchanges: it folds a
/// cast in front of the loop, and takes the first slice that is inserted for a
/// part of the first result, and so on.
static bool exchangesResults(Operation *op) {
  auto loop = dyn_cast<scf::ForallOp>(op);
  if (!loop || llvm::none_of(loop.getOutputs(), [](Value output) {
        auto cast = output.getDefiningOp<tensor::CastOp>();
        return cast && tensor::canFoldIntoConsumerOp(cast);
      }))
    return false;
  auto arguments = loop.getRegionIterArgs();
  for (auto [i, insert] :
       llvm::enumerate(loop.getTerminator().getYieldingOps()))
    if (auto slice = dyn_cast<tensor::ParallelInsertSliceOp>(insert);
        slice && i < arguments.size() && slice.getDest() != arguments[i])
      return true;
  return false;
}

/// Whether the body of `map` reads its destination, which is a constant. So the
/// result gets a buffer of its own, and nothing is copied to that.
static bool readsConstantDestination(linalg::MapOp map) {
  return matchPattern(map.getInit(), m_Constant()) &&
         !map.getMapper().front().getArguments().back().use_empty();
}

/// Whether a vector of all that `op` inserts is written along other dimensions
/// than those of the slice: MLIR takes the last ones, while one of them has no
/// counterpart in what is inserted.
static bool insertsElsewhere(tensor::InsertSliceOp op) {
  if (!op.getSourceType().hasStaticShape())
    return false;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  bool isBehindLong = false;
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes())) {
    if (dropped.test(dim) && isBehindLong)
      return true;
    isBehindLong |= !dropped.test(dim) && !isOneInteger(size);
  }
  return false;
}

/// The first op at or below the target `id` that the step makes something else
/// of; none if none is known.
static std::optional<Miscompiled> findBelow(const Step &step, NodeId id) {
  if (rewrites(step.op)) {
    Operation *top = step.payload[id].op;
    bool folds = runsGroup(step, "apply_patterns.memref.fold_memref_alias_ops");
    std::optional<Miscompiled> found;
    if (folds && top && step.payload.isUntouched(id))
      top->walk([&](Operation *op) {
        if (!accessesExpanded(op))
          return WalkResult::advance();
        found = {op, "the dimensions of its vector are folded as if they were "
                     "not expanded"};
        return WalkResult::interrupt();
      });
    if (found || !runsGroup(step, "apply_patterns.canonicalization"))
      return found;
    auto isForall = [](const Node &node) {
      return isa_and_nonnull<scf::ForallOp>(node.op);
    };
    auto isKindOfForall = [](const std::optional<OperationName> &kind) {
      return isKind<scf::ForallOp>(kind);
    };
    for (auto [loop, certainty] :
         step.payload.find(id, isForall, isKindOfForall))
      if (certainty == Certainty::Yes && step.payload.isUntouched(loop) &&
          exchangesResults(step.payload[loop].op))
        return Miscompiled{step.payload[loop].op,
                           "a cast in front of it is folded, and its results "
                           "are exchanged, because their slices are inserted "
                           "in another order"};
    return found;
  }
  if (isa<transform::VectorizeChildrenAndApplyPatternsOp>(step.op)) {
    auto isInsertion = [](const Node &node) {
      return isa_and_nonnull<tensor::InsertSliceOp>(node.op);
    };
    for (auto [insert, certainty] : step.payload.find(id, isInsertion)) {
      Operation *op = step.payload[insert].op;
      if (certainty == Certainty::Yes && step.payload.isUntouched(insert) &&
          insertsElsewhere(cast<tensor::InsertSliceOp>(op)))
        return Miscompiled{op, "its vector is written along the last "
                               "dimensions, which are not those of the slice"};
    }
    return std::nullopt;
  }
  if (!isa<transform::OneShotBufferizeOp>(step.op))
    return std::nullopt;
  auto isMap = [&](const Node &node) {
    return isa_and_nonnull<linalg::MapOp>(node.op);
  };
  for (auto [map, certainty] : step.payload.find(id, isMap))
    if (certainty == Certainty::Yes && step.payload.isUntouched(map) &&
        readsConstantDestination(cast<linalg::MapOp>(step.payload[map].op)))
      return Miscompiled{step.payload[map].op,
                         "its body reads its destination, which is not copied "
                         "to its new buffer"};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// How `step` makes something else of the payload op `id`; none if it does not,
/// as far as is known.
static std::optional<std::string> findMiscompilation(const Step &step,
                                                     NodeId id) {
  const Node &node = step.payload[id];
  if (reordersIterations(step.op))
    return findMiscompiledLoop(step, id);
  if (auto vectorize = dyn_cast<transform::VectorizeOp>(step.op)) {
    auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(node.op);
    if (insert && lacksElements(insert, vectorize.getStaticVectorSizes()))
      return "the vector is smaller than the slice";
    return std::nullopt;
  }
  if (!step.payload.isLikeBody(node))
    return std::nullopt;
  if (isa<transform::SplitReductionOp>(step.op) && readsIndices(node.body))
    return "'linalg.index' in its body keeps its number, but the loops do "
           "not";
  bool makesPartialSums =
      isa<transform::SplitReductionOp, transform::TileReductionUsingForOp,
          transform::TileReductionUsingForallOp>(step.op);
  if (makesPartialSums) {
    if (Operation *adds = findNeverOverflowing(node.body))
      return "'" + adds->getName().getStringRef().str() +
             "' in its body says that it never overflows, but partial results "
             "may";
    return std::nullopt;
  }
  if (!isa<transform::SpecializeOp>(step.op))
    return std::nullopt;
  // MLIR crashes where it makes a named op of other elements.
  if (!formwork::normalforms::hasElementsOfWidth(node.body))
    return std::nullopt;
  if (std::optional<std::string> lost = findLostBySpecializing(node.body))
    return "the named op " + *lost;
  return std::nullopt;
}

void formwork::verifier::warnOfMiscompilation(const Step &step) {
  bool dividesOrReorders = dividesLoops(step.op) || reordersIterations(step.op);
  if (!dividesOrReorders &&
      !isa<transform::SplitReductionOp, transform::SpecializeOp,
           transform::TileReductionUsingForOp,
           transform::TileReductionUsingForallOp, transform::VectorizeOp,
           transform::OneShotBufferizeOp,
           transform::VectorizeChildrenAndApplyPatternsOp>(step.op) &&
      !rewrites(step.op))
    return;
  const HandleState &handle = step.lookup(step.op->getOperand(0));
  if (handle.kind != HandleState::Ops)
    return;
  bool looksBelow =
      rewrites(step.op) ||
      isa<transform::OneShotBufferizeOp,
          transform::VectorizeChildrenAndApplyPatternsOp>(step.op);
  for (NodeId id : handle.nodes) {
    const Node &node = step.payload[id];
    std::optional<Miscompiled> found;
    if (looksBelow)
      found = findBelow(step, id);
    else if (std::optional<MiscompiledTiles> tiles =
                 findMiscompiledTiles(step, node))
      found = Miscompiled{node.op ? node.op : node.body, std::move(tiles->why),
                          tiles->fix, tiles->reachesOut};
    else if (std::optional<std::string> why = findMiscompilation(step, id))
      found = Miscompiled{node.op ? node.op : node.body, std::move(*why)};
    if (!found || !found->op)
      continue;
    Finding &finding =
        step.warn("fw-step-miscompiles",
                  (found->reachesOut ? "lets '" : "changes what '") +
                      found->op->getName().getStringRef() +
                      (found->reachesOut ? "' access elements out of bounds: "
                                         : "' computes: ") +
                      found->why)
            .note(NoteKind::Evidence, found->op->getLoc(), "the op");
    if (!found->fix.empty())
      finding.note(NoteKind::FixIt, step.op->getLoc(), found->fix);
    return;
  }
}
