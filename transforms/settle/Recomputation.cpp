//===- Recomputation.cpp - What fusing computes again -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/settle/Recomputation.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;

/// The elements of the first result of `op`; none if they are not known, or one.
static std::optional<int64_t> countElements(Operation *op) {
  if (op->getNumResults() == 0)
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() <= 1)
    return std::nullopt;
  return type.getNumElements();
}

/// The iterations of the loops around `op` that are not around `outside`.
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
          product, llvm::divideCeil(std::max<int64_t>(0, *last - *first),
                                    *distance));
    }
  }
  return product;
}

static bool isLive(transform::TransformState &state, Operation *wanted) {
  return state.getTopLevel()
      ->walk([&](Operation *op) {
        return op == wanted ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether something that stays needs a result of `op`: clean-up erases what
/// nothing reads, such as an original all of whose readers were fused.
static bool isNeeded(Operation *op, llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (!isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      op->getNumResults() == 0)
    return true;
  if (!seen.insert(op).second)
    return false;
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    return isNeeded(user, seen);
  });
}

static unsigned countReaders(Operation *producer) {
  llvm::SmallPtrSet<Operation *, 8> seen, users;
  for (Operation *user : producer->getUsers())
    if (isNeeded(user, seen))
      users.insert(user);
  return users.size();
}

void RecomputationWatch::enter(const WatchedStep &step,
                               transform::TransformState &state) {
  pending.clear();
  auto fuse = dyn_cast_or_null<transform::FuseIntoContainingOp>(step.running);
  if (!fuse)
    return;
  for (Operation *op : state.getPayloadOps(fuse.getProducerOp()))
    if (std::optional<int64_t> elements = countElements(op))
      pending.push_back({step.written, op, op->getName().getStringRef().str(),
                         op->getLoc(), *elements});
}

void RecomputationWatch::leave(const WatchedStep &step,
                               transform::TransformState &state) {
  auto fuse = dyn_cast_or_null<transform::FuseIntoContainingOp>(step.running);
  if (!fuse)
    return;
  // A step that fuses into the same loop may be what an earlier one waited for.
  for (Fused &earlier : fused)
    if (earlier.readers != 0)
      earlier.readers = isLive(state, earlier.producer)
                            ? countReaders(earlier.producer)
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
      one.readers = countReaders(one.producer);
    if (one.ofIteration != 0)
      fused.push_back(one);
  }
  pending.clear();
}

void RecomputationWatch::addFindings(engine::Findings &findings) const {
  for (const Fused &one : fused) {
    bool isWhole =
        one.ofIteration == one.elements && one.iterations.value_or(2) > 1;
    if (!isWhole && one.readers == 0)
      continue;
    std::string message = "computes '" + one.name + "'";
    if (isWhole)
      message += llvm::formatv(
                     " as a whole, {0} elements, in each {1}", one.elements,
                     one.iterations
                         ? llvm::formatv("of {0} iterations", *one.iterations).str()
                         : std::string("iteration"))
                     .str();
    else
      message += " in the loop, and again outside";
    if (one.readers != 0 && isWhole)
      message += ", and again outside";
    Finding finding(one.step->getLoc(), "fw-fused-again", message,
                    DiagnosticSeverity::Warning);
    finding.note(NoteKind::Evidence, one.loc, "the producer");
    if (one.readers != 0)
      finding.note(NoteKind::Evidence, one.loc,
                   llvm::formatv("{0} elements are computed twice: {1} stays "
                                 "outside of the loop",
                                 one.elements,
                                 one.readers == 1
                                     ? std::string("a reader")
                                     : llvm::utostr(one.readers) + " readers")
                       .str());
    finding.note(NoteKind::FixIt, one.step->getLoc(),
                 isWhole ? "tile a dimension that the loop iterates over, or "
                           "decompose the producer, so that a part of it can be "
                           "computed"
                         : "fuse the readers first, or leave the producer where "
                           "it is");
    findings.add(std::move(finding));
  }
}
