//===- LookupKinds.cpp - Breakage of how handles are obtained -------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/handles/LookupKinds.h"

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::freshMatches(NamedSequenceOp entry, Random &random) {
  SmallVector<transform::MatchOp> found;
  for (Operation *op : getSteps(entry)) {
    auto match = dyn_cast<transform::MatchOp>(op);
    // Some use must be further away than the next step.
    if (match && llvm::any_of(op->getUsers(), [&](Operation *user) {
          return user != op->getNextNode();
        }))
      found.push_back(match);
  }
  if (found.empty())
    return false;
  bool all = random.chance(0.4);
  if (!all)
    found = {found[random.below(found.size())]};
  for (transform::MatchOp match : found) {
    Uses uses;
    for (OpOperand &use : match->getUses())
      uses.push_back(&use);
    for (OpOperand *use : uses)
      use->set(OpBuilder(use->getOwner()).clone(*match)->getResult(0));
    match->erase();
  }
  return true;
}

bool formwork::testing::jointMatch(NamedSequenceOp entry, Random &random) {
  SmallVector<transform::MatchOp> matches;
  for (Operation *op : getSteps(entry))
    if (auto match = dyn_cast<transform::MatchOp>(op))
      if (!match->use_empty() && !isScopeKind(guessKind(match.getResult())))
        matches.push_back(match);
  if (matches.empty())
    return false;
  transform::MatchOp first = matches[random.below(matches.size())], second;
  for (transform::MatchOp match : matches)
    if (match != first && match.getTarget() == first.getTarget() &&
        match.getType() == first.getType() &&
        match->getBlock() == first->getBlock() && first->isBeforeInBlock(match))
      second = match;
  std::string what = "interface{LinalgOp}";
  if (second && first.getOps() && second.getOps())
    what = ("ops{[\"" + guessKind(first.getResult()) + "\", \"" +
            guessKind(second.getResult()) + "\"]}")
               .str();
  StringRef manner = pickText(random, {"", "", "{overflow_result = 1}",
                                       "{fail_on_payload_too_small = false}"});
  std::string type = getTypeText(first.getResult());
  Operation *split =
      insertText(first, first.getTarget(),
                 "%m = transform.structured.match " + what + " in %h : (" +
                     getTypeText(first.getTarget()) + ") -> " + type +
                     "\n%a, %b = transform.split_handle %m " + manner + " : (" +
                     type + ") -> (" + type + ", " + type + ")");
  if (!split)
    return false;
  // They come in the order of the payload, not of the names.
  unsigned which = random.below(2);
  first.getResult().replaceAllUsesWith(split->getResult(which));
  first->erase();
  if (second) {
    second.getResult().replaceAllUsesWith(split->getResult(1 - which));
    second->erase();
  }
  return true;
}

bool formwork::testing::skipLookup(NamedSequenceOp entry, Random &random) {
  Uses uses;
  bool matches = random.chance(0.5);
  for (OpOperand *use : getHandleUses(entry)) {
    Operation *made = use->get().getDefiningOp();
    if (!made)
      continue;
    bool looks =
        isa<transform::GetParentOp, transform::SplitHandleOp,
            transform::GetProducerOfOperand, transform::GetConsumersOfResult,
            transform::CastOp, transform::SelectOp>(made) ||
        (matches && isa<transform::MatchOp>(made));
    if (looks && made->getOperand(0).getType() == use->get().getType())
      uses.push_back(use);
  }
  if (uses.empty())
    return false;
  OpOperand *use = uses[random.below(uses.size())];
  Value found = use->get(), looked = found.getDefiningOp()->getOperand(0);
  if (random.chance(0.4))
    found.replaceAllUsesWith(looked);
  else
    use->set(looked);
  return true;
}

bool formwork::testing::tiledByMatch(NamedSequenceOp entry, Random &random) {
  Uses uses;
  for (OpOperand *use : getHandleUses(entry)) {
    Operation *tiling = use->get().getDefiningOp();
    if (isa_and_nonnull<transform::TileUsingForOp, transform::TileUsingForallOp,
                        transform::FuseOp>(tiling) &&
        use->get() == tiling->getResult(0) && tiling->getNumResults() > 1)
      uses.push_back(use);
  }
  if (uses.empty())
    return false;
  OpOperand *use = uses[random.below(uses.size())];
  Operation *tiling = use->get().getDefiningOp();
  Value loop =
      tiling->getResult(random.chance(0.7) ? 1 : tiling->getNumResults() - 1);
  // A match by an attribute has no known name.
  std::string named = ("ops{[\"" + guessKind(use->get()) + "\"]}").str();
  StringRef what =
      pickText(random, {named, "interface{LinalgOp}", "interface{LinalgOp}",
                        "interface{TilingInterface}"});
  bool early = random.chance(0.4);
  Operation *match =
      insertText(early ? tiling->getNextNode() : use->getOwner(), loop,
                 "%m = transform.structured.match " + what + " in %h : (" +
                     getTypeText(loop) + ") -> " + getTypeText(use->get()));
  if (!match)
    return false;
  if (random.chance(0.5))
    rebindToResult(match, use->get());
  else
    use->set(match->getResult(0));
  return true;
}

bool formwork::testing::likeNamed(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<OpOperand *, Value>> found;
  for (OpOperand *use : getHandleUses(entry)) {
    auto read = dyn_cast<OpResult>(use->get());
    if (!read)
      continue;
    Value before, behind;
    bool passed = false;
    for (Value value : getVisibleHandles(use->getOwner())) {
      auto other = dyn_cast<OpResult>(value);
      if (other == read) {
        passed = true;
      } else if (other && other.getType() == read.getType() &&
                 other.getResultNumber() == read.getResultNumber() &&
                 other.getOwner()->getName() == read.getOwner()->getName() &&
                 other.getOwner()->getBlock() == read.getOwner()->getBlock()) {
        if (!passed)
          before = other;
        else if (!behind)
          behind = other;
      }
    }
    for (Value value : {before, behind})
      if (value)
        found.push_back({use, value});
  }
  if (found.empty())
    return false;
  auto [use, value] = found[random.below(found.size())];
  use->set(value);
  return true;
}

/// Lets each dimension have the size of the one before it.
static bool shiftSizes(NamedSequenceOp entry, Random &random) {
  static constexpr StringLiteral names[] = {
      "static_sizes", "static_tile_sizes", "static_num_threads",
      "static_vector_sizes", "static_packed_sizes"};
  SmallVector<std::pair<Operation *, StringRef>> found;
  for (Operation *op : getSteps(entry))
    for (StringRef name : names)
      if (auto sizes = op->getAttrOfType<DenseI64ArrayAttr>(name))
        // Those that are operands would come in another order.
        if (sizes.size() > 1 && !llvm::all_equal(sizes.asArrayRef()) &&
            op->getNumOperands() == 1)
          found.push_back({op, name});
  if (found.empty())
    return false;
  auto [op, name] = found[random.below(found.size())];
  SmallVector<int64_t> sizes(
      op->getAttrOfType<DenseI64ArrayAttr>(name).asArrayRef());
  std::rotate(sizes.begin(), sizes.end() - 1, sizes.end());
  op->setAttr(name, DenseI64ArrayAttr::get(entry.getContext(), sizes));
  return true;
}

bool formwork::testing::offByOne(NamedSequenceOp entry, Random &random) {
  Ops found;
  for (Operation *op : getSteps(entry))
    if (op->getNumResults() > 1 && !op->use_empty() &&
        llvm::all_equal(op->getResultTypes()) && isOpHandle(op->getResult(0)))
      found.push_back(op);
  if (found.empty() || random.chance(0.55))
    return shiftSizes(entry, random);
  Operation *op = found[random.below(found.size())];
  // For a tiling, only the loops; the last one stays where it is.
  bool tiles = op->getNumResults() > 2 && !isa<transform::SplitHandleOp>(op);
  unsigned last = op->getNumResults() - 1;
  SmallVector<std::pair<OpOperand *, unsigned>> shifted;
  for (unsigned i = tiles ? 1 : 0; i < last; ++i)
    for (OpOperand &use : op->getResult(i).getUses())
      shifted.push_back({&use, i + 1});
  for (auto [use, number] : shifted)
    use->set(op->getResult(number));
  return !shifted.empty();
}
