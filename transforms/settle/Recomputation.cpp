//===- Recomputation.cpp - Finds recomputation by fused steps ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/settle/Recomputation.h"

#include "engine/AnyBelow.h"
#include "transforms/validate/HandleProbe.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;

std::optional<int64_t> RecomputationWatch::countElements(Operation *op) {
  if (op->getNumResults() == 0)
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return std::nullopt;
  if (!type.hasStaticShape())
    return unknown;
  if (type.getNumElements() <= 1)
    return std::nullopt;
  return type.getNumElements();
}

/// The product of the iterations of all loops that are around `op`, but not
/// around `outside`.
static std::optional<int64_t> countIterations(Operation *op,
                                              Operation *outside) {
  int64_t product = 1;
  for (Operation *loop = op->getParentOp(); loop && !loop->isAncestor(outside);
       loop = loop->getParentOp()) {
    auto like = dyn_cast<LoopLikeOpInterface>(loop);
    if (!like)
      continue;
    auto lower = like.getLoopLowerBounds(), upper = like.getLoopUpperBounds(),
         step = like.getLoopSteps();
    if (!lower || !upper || !step)
      return std::nullopt;
    for (auto [from, to, by] : llvm::zip_equal(*lower, *upper, *step)) {
      std::optional<int64_t> first = getConstantIntValue(from),
                             last = getConstantIntValue(to),
                             distance = getConstantIntValue(by);
      if (!first || !last || !distance || *distance <= 0)
        return std::nullopt;
      product = llvm::SaturatingMultiply<uint64_t>(
          product,
          llvm::divideCeil(std::max<int64_t>(0, *last - *first), *distance));
    }
  }
  return product;
}

static bool isLive(transform::TransformState &state, Operation *wanted) {
  return engine::anyBelow(state.getTopLevel(),
                          [&](Operation *op) { return op == wanted; });
}

/// Whether `op` asks for a size that clean-up computes without the tensor
/// (@memref.dims_resolved).
static bool isResolvedSize(Operation *op) {
  auto dim = dyn_cast<tensor::DimOp>(op);
  return dim && isa_and_nonnull<ReifyRankedShapedTypeOpInterface,
                                DestinationStyleOpInterface>(
                    dim.getSource().getDefiningOp());
}

/// Whether an operation that stays needs a result of `op`. Clean-up erases
/// operations that nothing reads, such as an original whose readers were all
/// fused.
static bool isNeeded(Operation *op, llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (isResolvedSize(op))
    return false;
  if (!isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      op->getNumResults() == 0)
    return true;
  if (!seen.insert(op).second)
    return false;
  return llvm::any_of(op->getUsers(),
                      [&](Operation *user) { return isNeeded(user, seen); });
}

/// The readers of `producer` that clean-up does not erase.
static llvm::SetVector<Operation *> getReaders(Operation *producer) {
  llvm::SetVector<Operation *> users;
  for (Operation *user : producer->getUsers()) {
    llvm::SmallPtrSet<Operation *, 8> seen;
    if (isNeeded(user, seen))
      users.insert(user);
  }
  return users;
}

/// The operations in `loop` that read `producer` as what the loop writes to;
/// none if the loop also reads it otherwise, which MLIR looks for first.
static llvm::SetVector<Operation *> getReadersOfOutput(Operation *producer,
                                                       scf::ForallOp loop) {
  llvm::SetVector<Operation *> readers;
  for (OpOperand &use : producer->getUses()) {
    if (loop->isProperAncestor(use.getOwner()))
      return {};
    if (use.getOwner() != loop || !readers.empty())
      continue;
    for (Operation *user : loop.getTiedBlockArgument(&use).getUsers()) {
      llvm::SmallPtrSet<Operation *, 8> seen;
      if (!isa<tensor::ParallelInsertSliceOp>(user) && isNeeded(user, seen))
        readers.insert(user);
    }
  }
  return readers;
}

void RecomputationWatch::enter(const WatchedStep &step,
                               transform::TransformState &state) {
  pending.clear();
  pendingLost.clear();
  auto fuse = dyn_cast_or_null<transform::FuseIntoContainingOp>(step.running);
  if (!fuse || !canBeUsed(fuse.getProducerOp(), state))
    return;
  // An op that the handle holds twice is one producer.
  llvm::SmallSetVector<Operation *, 4> producers(
      llvm::from_range, state.getPayloadOps(fuse.getProducerOp()));
  if (canBeUsed(fuse.getContainingOp(), state))
    for (Operation *op : state.getPayloadOps(fuse.getContainingOp()))
      if (auto loop = dyn_cast<scf::ForallOp>(op))
        for (Operation *producer : producers) {
          llvm::SetVector<Operation *> readers =
              getReadersOfOutput(producer, loop);
          if (readers.size() < 2)
            continue;
          pendingLost.push_back({step.written,
                                 producer->getName().getStringRef().str(),
                                 producer->getLoc(), readers.size()});
        }
  for (Operation *op : producers)
    if (std::optional<int64_t> elements = countElements(op))
      pending.emplace_back(step.written, op, *elements);
}

void RecomputationWatch::leave(const WatchedStep &step,
                               transform::TransformState &state) {
  auto fuse = dyn_cast_or_null<transform::FuseIntoContainingOp>(step.running);
  if (!fuse)
    return;
  lost.append(pendingLost);
  pendingLost.clear();
  // This step may have fused the readers that an earlier producer still had
  // outside: count them again.
  for (Fused &earlier : fused)
    if (earlier.readers != 0)
      earlier.readers = isLive(state, earlier.producer)
                            ? getReaders(earlier.producer).size()
                            : 0;
  for (Fused &one : pending) {
    bool isThere = isLive(state, one.producer);
    for (Operation *part : state.getPayloadOps(fuse.getFusedOp())) {
      if (part->getName().getStringRef() != one.name ||
          part->getLoc() != one.loc || part == one.producer)
        continue;
      std::optional<int64_t> elements = countElements(part);
      if (!elements || *elements < one.ofIteration)
        continue;
      one.ofIteration = *elements;
      one.iterations =
          countIterations(part, isThere ? one.producer : state.getTopLevel());
    }
    if (isThere)
      one.readers = getReaders(one.producer).size();
    if (one.ofIteration == 0)
      continue;
    for (Operation *part : state.getPayloadOps(fuse.getFusedOp())) {
      bool isLikeOne =
          part->getLoc() == one.loc && countElements(part) == one.elements;
      if (isLikeOne && one.elements == unknown)
        one.isSliced |= llvm::any_of(getReaders(part),
                                     llvm::IsaPred<tensor::ExtractSliceOp>);
      if (!isLikeOne || !one.isWhole())
        continue;
      std::optional<size_t> cause;
      bool areWhole = true;
      for (Operation *reader : getReaders(part)) {
        one.isSliced |= isa<tensor::ExtractSliceOp>(reader);
        const WholePart *whole = llvm::find_if(
            wholes, [&](const WholePart &other) { return other.op == reader; });
        if (whole == wholes.end())
          areWhole = false;
        else
          cause = whole->cause;
      }
      if (cause && areWhole)
        one.cause = cause;
      wholes.push_back({part, one.cause.value_or(fused.size())});
    }
    fused.push_back(one);
  }
  pending.clear();
}

/// The fix-it for a producer `name` that a loop computes as a whole: how to
/// compute it in parts.
static std::string getFix(StringRef name, bool isSliced) {
  if (isSliced && name == linalg::SoftmaxOp::getOperationName())
    return "decompose the producer with "
           "'transform.structured.decompose_interface' "
           "in front of the loop and fuse its parts, or compute it in pieces "
           "with "
           "'transform.formwork.online_softmax' on the tile that reads it";
  return "tile a dimension that the loop iterates over, or decompose the "
         "producer, "
         "so that a part of it can be computed";
}

void RecomputationWatch::addFindings(engine::Findings &findings) const {
  for (const Lost &one : lost) {
    Finding &finding = findings.add(Finding(
        one.step->getLoc(), "fw-step-miscompiles",
        llvm::formatv("fuses '{0}' for one of {1} operations in the loop that "
                      "read it; MLIR lets the others read what was there "
                      "before '{0}'",
                      one.name, one.readers),
        DiagnosticSeverity::Warning));
    finding.note(NoteKind::Evidence, one.loc, "the producer");
    finding.note(NoteKind::FixIt, one.step->getLoc(),
                 "normalize the function to @canonical before this step, so "
                 "that equal operations become one, and match in it again "
                 "what later steps use");
  }
  for (auto [index, one] : llvm::enumerate(fused)) {
    bool isWhole = one.isWhole();
    bool isSaid = one.cause && one.readers == 0;
    if ((!isWhole && one.readers == 0) || isSaid)
      continue;
    std::string message = "computes '" + one.name + "'";
    if (isWhole)
      message += llvm::formatv(
          " as a whole{0}, in each {1}",
          one.elements == unknown
              ? std::string()
              : llvm::formatv(", {0} elements", one.elements).str(),
          one.iterations
              ? llvm::formatv("of {0} iterations", *one.iterations).str()
              : std::string("iteration"));
    else
      message += " in the loop, and again outside";
    if (one.readers != 0 && isWhole)
      message += ", and again outside";
    Finding finding(one.step->getLoc(), "fw-fused-again", message,
                    DiagnosticSeverity::Warning);
    finding.note(NoteKind::Evidence, one.loc,
                 !isWhole ? "the producer"
                 : one.isSliced
                     ? "the producer: MLIR computes no part of its result alone"
                     : "the producer: its reader in the loop reads all of it");
    if (one.readers != 0)
      finding.note(
          NoteKind::Evidence, one.loc,
          llvm::formatv("{0} elements are computed twice: {1} "
                        "outside of the loop",
                        one.elements == unknown ? std::string("all")
                                                : llvm::utostr(one.elements),
                        one.readers == 1
                            ? std::string("a reader stays")
                            : llvm::utostr(one.readers) + " readers stay"));
    for (const Fused &other : fused)
      if (other.cause == index && other.readers == 0)
        finding.note(NoteKind::Evidence, other.step->getLoc(),
                     "for that, this step computes '" + other.name +
                         "' as a whole, too");
    finding.note(NoteKind::FixIt, one.step->getLoc(),
                 isWhole
                     ? getFix(one.name, one.isSliced)
                     : "fuse the readers first, or leave the producer where "
                       "it is");
    findings.add(std::move(finding));
  }
}
