//===- MiscompiledRewrites.cpp - Rewrites that compute something else -----===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The errors of MLIR 22.1 where a step rewrites all that is below a target:
// patterns, vectorization of children, and bufferization. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/Miscompilations.h"

#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace formwork::verifier;

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

/// Whether `step`, which applies patterns or normalizes, runs the group of
/// rules `name`.
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

/// Whether canonicalization exchanges the results of `loop`: it folds a
/// cast in front of the loop, and takes the first slice that is inserted for a
/// part of the first result, and so on.
static bool exchangesResults(scf::ForallOp loop) {
  bool foldsCast = llvm::any_of(loop.getOutputs(), [](Value output) {
    auto cast = output.getDefiningOp<tensor::CastOp>();
    return cast && tensor::canFoldIntoConsumerOp(cast);
  });
  if (!foldsCast)
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

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The first op at or below `target` that is as it was given and for which
/// `isWrong` holds; null if there is none.
template <typename Op>
static Operation *findGiven(const Step &step, NodeId target,
                            bool (*isWrong)(Op)) {
  auto isOne = [](const Node &node) { return isa_and_nonnull<Op>(node.op); };
  auto isKindOfOne = [](const std::optional<OperationName> &kind) {
    return isKind<Op>(kind);
  };
  for (auto [id, certainty] : step.payload.find(target, isOne, isKindOfOne))
    if (certainty == Certainty::Yes && step.payload.isUntouched(id) &&
        isWrong(cast<Op>(step.payload[id].op)))
      return step.payload[id].op;
  return nullptr;
}

static std::optional<Miscompiled> findInPatterns(const Step &step,
                                                 NodeId target) {
  Operation *top = step.payload[target].op;
  Operation *found = nullptr;
  if (top && step.payload.isUntouched(target) &&
      runsGroup(step, "apply_patterns.memref.fold_memref_alias_ops"))
    top->walk([&](Operation *op) {
      if (!accessesExpanded(op))
        return WalkResult::advance();
      found = op;
      return WalkResult::interrupt();
    });
  if (found)
    return Miscompiled{
        .why = "the dimensions of its vector are folded as if they were not "
               "expanded",
        .op = found};
  if (runsGroup(step, "apply_patterns.canonicalization"))
    found = findGiven<scf::ForallOp>(step, target, exchangesResults);
  if (!found)
    return std::nullopt;
  return Miscompiled{
      .why = "a cast in front of it is folded, and its results are exchanged, "
             "because their slices are inserted in another order",
      .op = found};
}

static std::optional<Miscompiled> findInChildren(const Step &step,
                                                 NodeId target) {
  Operation *found =
      findGiven<tensor::InsertSliceOp>(step, target, insertsElsewhere);
  if (!found)
    return std::nullopt;
  return Miscompiled{.why = "its vector is written along the last dimensions, "
                            "which are not those of the slice",
                     .op = found};
}

static std::optional<Miscompiled> findInBufferized(const Step &step,
                                                   NodeId target) {
  Operation *found =
      findGiven<linalg::MapOp>(step, target, readsConstantDestination);
  if (!found)
    return std::nullopt;
  return Miscompiled{.why = "its body reads its destination, which is not "
                            "copied to its new buffer",
                     .op = found};
}

void formwork::verifier::addMiscompiledRewrites(
    MiscompilationRegistry &registry) {
  registry.add<transform::ApplyPatternsOp>(findInPatterns);
  registry.add("transform.normalform.normalize", findInPatterns);
  registry.add<transform::VectorizeChildrenAndApplyPatternsOp>(findInChildren);
  registry.add<transform::OneShotBufferizeOp>(findInBufferized);
}
