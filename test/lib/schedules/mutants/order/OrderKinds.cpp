//===- OrderKinds.cpp - Breakage of the order of a schedule ---------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/order/OrderKinds.h"

#include "test/lib/schedules/mutants/edits/OrderEdit.h"
#include "test/lib/schedules/mutants/edits/RegionEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// The sort of a step: one that finds, tiles, changes loops, changes ops,
/// cleans up, or marks.
static unsigned getSort(Operation *op) {
  if (isa<transform::MatchOp, transform::GetParentOp, transform::SplitHandleOp,
          transform::MergeHandlesOp, transform::GetProducerOfOperand,
          transform::GetConsumersOfResult, transform::CastOp>(op) ||
      op->getName().getStringRef().contains(".param."))
    return 0;
  if (isa<transform::TileUsingForOp, transform::TileUsingForallOp,
          transform::FuseOp, transform::FuseIntoContainingOp>(op))
    return 1;
  if (op->getName().getStringRef().starts_with("transform.loop."))
    return 2;
  if (isa<transform::ApplyPatternsOp, transform::ApplyRegisteredPassOp,
          transform::ApplyCommonSubexpressionEliminationOp,
          transform::ApplyDeadCodeEliminationOp,
          transform::ApplyLoopInvariantCodeMotionOp>(op))
    return 4;
  if (isa<transform::AnnotateOp, transform::PrintOp>(op))
    return 5;
  return 3;
}

bool formwork::testing::groupSteps(NamedSequenceOp entry, Random &random) {
  SmallVector<unsigned> places = {0, 1, 2, 3, 4, 5};
  // Two sorts may be thought to go the other way round.
  if (random.chance(0.5)) {
    unsigned first = random.between(1, 4);
    std::swap(places[first], places[first + 1]);
  }
  llvm::DenseMap<Operation *, unsigned> ranks;
  for (Operation *op : getOuterSteps(entry))
    ranks[op] = places[getSort(op)];
  return reorder(entry, ranks);
}

bool formwork::testing::depthFirst(NamedSequenceOp entry, Random &random) {
  // Where two branches meet, it goes with the later one, or with the first that
  // it reads.
  bool first = random.chance(0.3);
  llvm::DenseMap<Operation *, unsigned> ranks;
  for (auto [number, op] : llvm::enumerate(getOuterSteps(entry))) {
    auto needed = getNeeded(op);
    unsigned rank = number;
    if (!isa<transform::MatchOp>(op) && !needed.empty()) {
      rank = ranks.lookup(needed.front());
      if (!first)
        for (Operation *made : needed)
          rank = std::max(rank, ranks.lookup(made));
    }
    ranks[op] = rank;
  }
  return reorder(entry, ranks);
}

bool formwork::testing::gatherMatches(NamedSequenceOp entry, Random &random) {
  bool all = random.chance(0.6);
  llvm::DenseMap<Operation *, unsigned> ranks;
  for (Operation *op : getOuterSteps(entry))
    ranks[op] =
        isa<transform::MatchOp>(op) && (all || random.chance(0.6)) ? 0 : 1;
  return reorder(entry, ranks);
}

bool formwork::testing::runTwice(NamedSequenceOp entry, Random &random) {
  Block &block = entry.getBody().front();
  Value root = getRootAtEnd(entry);
  Ops steps = getOuterSteps(entry);
  if (!root || steps.empty() || block.getTerminator()->getNumOperands() != 0 ||
      root.getType() != block.getArgument(0).getType())
    return false;
  IRMapping mapping;
  mapping.map(block.getArgument(0), root);
  // Where only the end changes, what was found before stays as it was.
  unsigned start = random.chance(0.6) ? 0 : random.below(steps.size());
  OpBuilder builder(block.getTerminator());
  for (Operation *op : llvm::drop_begin(steps, start))
    builder.clone(*op, mapping);
  return true;
}

bool formwork::testing::shareEqual(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<Operation *, Operation *>> pairs;
  Ops steps = getSteps(entry);
  for (auto [number, second] : llvm::enumerate(steps)) {
    if (!isa<transform::MatchOp, transform::GetParentOp,
             transform::GetProducerOfOperand, transform::GetConsumersOfResult>(
            second))
      continue;
    for (Operation *first : ArrayRef(steps).take_front(number))
      if (first->getBlock() == second->getBlock() &&
          first->getName() == second->getName() &&
          first->getAttrs() == second->getAttrs() &&
          first->getResultTypes() == second->getResultTypes()) {
        pairs.push_back({first, second});
        break;
      }
  }
  if (pairs.empty())
    return false;
  bool all = random.chance(0.4);
  unsigned one = random.below(pairs.size());
  for (auto [number, pair] : llvm::enumerate(pairs))
    if (all || number == one)
      pair.second->replaceAllUsesWith(pair.first);
  for (auto [number, pair] : llvm::enumerate(pairs))
    if (all || number == one)
      pair.second->erase();
  return true;
}

bool formwork::testing::restPerOp(NamedSequenceOp entry, Random &random) {
  Block &block = entry.getBody().front();
  Ops rest = getOuterSteps(entry);
  if (rest.size() < 2 || block.getTerminator()->getNumOperands() != 0)
    return false;
  rest.erase(rest.begin(), rest.begin() + random.between(1, rest.size() - 1));
  // The steps at the end are done once, mostly.
  if (random.chance(0.6))
    while (!rest.empty() && getSort(rest.back()) >= 4)
      rest.pop_back();
  if (rest.empty())
    return false;
  bool reads = random.chance(0.8);
  Values found;
  for (Value handle : getVisibleHandles(rest.front()))
    if (!isa<BlockArgument>(handle) &&
        (!reads || llvm::any_of(handle.getUsers(), [&](Operation *user) {
          Operation *step = block.findAncestorOpInBlock(*user);
          return llvm::is_contained(rest, step);
        })))
      found.push_back(handle);
  if (found.empty())
    return false;
  Value handle = random.oneOf(ArrayRef<Value>(found));
  moveIntoForeach(rest, handle);
  // The loop did to the whole what it did to its entries.
  if (random.chance(0.4))
    insertUse(block.getTerminator(), handle);
  return true;
}

/// The body of a loop or sequence; null for other steps.
static Block *getBodyOf(Operation *op) {
  if (!isa<transform::ForeachOp, transform::SequenceOp>(op))
    return nullptr;
  Block &body = op->getRegion(0).front();
  return body.mightHaveTerminator() ? &body : nullptr;
}

bool formwork::testing::inOrOut(NamedSequenceOp entry, Random &random) {
  Ops found;
  for (Operation *op : getSteps(entry))
    if (getBodyOf(op))
      found.push_back(op);
  Operation *holder = pickStep(found, random);
  if (!holder)
    return false;
  Block *body = getBodyOf(holder);
  Operation *next = holder->getNextNode();
  if (!next->hasTrait<OpTrait::IsTerminator>() && next->use_empty() &&
      random.chance(0.6)) {
    next->moveBefore(body->getTerminator());
    // It reads what the others there do.
    if (random.chance(0.5))
      for (auto [argument, value] :
           llvm::zip(body->getArguments(), holder->getOperands()))
        next->replaceUsesOfWith(value, argument);
    return true;
  }
  Ops movable;
  for (Operation &op : body->without_terminator())
    if (op.use_empty() && getNeeded(&op).empty())
      movable.push_back(&op);
  Operation *op = pickStep(movable, random);
  if (!op)
    return false;
  bool ahead = random.chance(0.4);
  for (auto [argument, value] :
       llvm::zip(body->getArguments(), holder->getOperands()))
    argument.replaceUsesWithIf(
        value, [&](OpOperand &use) { return op->isAncestor(use.getOwner()); });
  if (ahead)
    op->moveBefore(holder);
  else
    op->moveAfter(holder);
  return true;
}

bool formwork::testing::flipMarks(NamedSequenceOp entry, Random &random) {
  StringRef consumed = transform::TransformDialect::kArgConsumedAttrName;
  StringRef readonly = transform::TransformDialect::kArgReadOnlyAttrName;
  NamedSequenceOp sequence = entry;
  if (random.chance(0.6))
    if (transform::IncludeOp include = pickInclude(entry, random))
      sequence = getCallee(include);
  unsigned number = sequence.getNumArguments();
  if (number == 0)
    return false;
  number = random.below(number);
  Block &body = sequence.getBody().front();
  Value argument = body.getArgument(number);
  // The mark goes wrong, or the steps under it do.
  bool marks = random.chance(0.5) || !isOpHandle(argument);
  if (marks) {
    bool wasConsumed = static_cast<bool>(sequence.getArgAttr(number, consumed));
    sequence.removeArgAttr(number, consumed);
    sequence.removeArgAttr(number, readonly);
    sequence.setArgAttr(number, wasConsumed ? readonly : consumed,
                        UnitAttr::get(entry.getContext()));
  } else if (!insertConsumer(body.getTerminator(), argument, random)) {
    return false;
  }
  if (isOpHandle(argument) && random.chance(0.4))
    insertUse(body.getTerminator(), argument);
  return true;
}
