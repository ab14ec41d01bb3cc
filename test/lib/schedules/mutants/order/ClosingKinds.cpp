//===- ClosingKinds.cpp - Breakage of what comes last ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/order/ClosingKinds.h"

#include "test/lib/schedules/mutants/edits/OrderEdit.h"
#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::lastBranchFirst(NamedSequenceOp entry, Random &random) {
  Ops steps = getOuterSteps(entry);
  // A branch is what comes of a step that reads no other; where two meet, it is
  // of the later one.
  llvm::DenseMap<Operation *, unsigned> branches;
  llvm::SmallSetVector<unsigned, 4> heads;
  for (auto [number, step] : llvm::enumerate(steps)) {
    auto needed = getNeeded(step);
    unsigned branch = needed.empty() ? number : 0;
    for (Operation *made : needed)
      branch = std::max(branch, branches.lookup(made));
    branches[step] = branch;
    heads.insert(branch);
  }
  if (heads.size() < 2)
    return false;
  // One goes in front of the others, or all are turned round.
  unsigned one = heads[random.between(1, heads.size() - 1)];
  bool all = random.chance(0.3);
  llvm::DenseMap<Operation *, unsigned> ranks;
  for (Operation *step : steps) {
    unsigned branch = branches.lookup(step);
    ranks[step] = all ? steps.size() - branch : branch == one ? 0 : 1;
  }
  return reorder(entry, ranks);
}

/// The first step that takes the whole of the payload to something else, or the
/// end.
static Operation *getStartOfLowering(NamedSequenceOp entry) {
  for (Operation *step : getOuterSteps(entry))
    for (Value handle : step->getOperands())
      if (isOpHandle(handle) && isScopeKind(guessKind(handle)) &&
          consumes(step, handle))
        return step;
  return entry.getBody().front().getTerminator();
}

/// Whether a step of the schedule consumes `handle`, or a part of it.
static bool isConsumed(Value handle) {
  return llvm::any_of(handle.getUsers(), [&](Operation *user) {
    return consumes(user, handle) ||
           (isa<transform::SplitHandleOp, transform::MergeHandlesOp>(user) &&
            llvm::any_of(user->getResults(), isConsumed));
  });
}

bool formwork::testing::gatherHandles(NamedSequenceOp entry, Random &random) {
  // The careful do so while there is still what the handles hold, and leave
  // those alone that are consumed.
  bool loops = random.chance(0.5), careful = random.chance(0.5);
  Operation *place = careful ? getStartOfLowering(entry)
                             : entry.getBody().front().getTerminator();
  Values gathered;
  for (Value handle : getVisibleHandles(place)) {
    StringRef kind = guessKind(handle);
    if (isa<transform::AnyOpType>(handle.getType()) &&
        (loops ? isLoopKind(kind) : isStructuredKind(kind)) &&
        !(careful && isConsumed(handle)) && random.chance(0.85))
      gathered.push_back(handle);
  }
  if (gathered.size() < 2)
    return false;
  std::string list;
  for (size_t i = 0; i < gathered.size(); ++i)
    list += i == 0 ? "%h" : ", %h" + std::to_string(i);
  Operation *merge = insertSteps(
      place, gathered,
      (random.chance(0.4) ? "%m = transform.merge_handles deduplicate "
                          : "%m = transform.merge_handles ") +
          list + " : @");
  if (!merge)
    return false;
  ArrayRef<StringRef> work = loops ? ArrayRef(loopSteps) : ArrayRef(opSteps);
  if (random.chance(0.7))
    return insertOneOf(place, merge->getResult(0), random, work);
  std::string turn = fillIn(pickText(random, work), '%', "%t_");
  return insertSteps(place, merge->getResult(0),
                     "transform.foreach %h : @ {\n^bb0(%t_h: @):\n" + turn +
                         "\n}");
}

bool formwork::testing::finishTheRest(NamedSequenceOp entry, Random &random) {
  Block &block = entry.getBody().front();
  Operation *place =
      random.chance(0.7) ? getStartOfLowering(entry) : block.getTerminator();
  Value root = isa<transform::YieldOp>(place) ? getRootAtEnd(entry)
               : block.getNumArguments() != 0 ? Value(block.getArgument(0))
                                              : Value();
  // The payload of the schedule is mostly left as well, in tiles.
  Value rest = root
                   ? insertMatch(place, root,
                                 pickText(random, {"interface{LinalgOp}",
                                                   "interface{LinalgOp}",
                                                   "interface{TilingInterface}",
                                                   "ops{[\"linalg.fill\", "
                                                   "\"linalg.generic\"]}"}))
                   : Value();
  if (!rest)
    return false;
  static constexpr StringRef finishes[] = {
      "%t, %l = transform.structured.tile_using_for %h tile_sizes [4] : (@) -> "
      "(@, @)",
      "%t, %l = transform.structured.tile_using_for %h tile_sizes [0, 8] : (@) "
      "-> (@, @)",
      "%g = transform.structured.generalize %h : (@) -> @",
      "transform.structured.vectorize %h : @",
      "transform.foreach %h : @ {\n^bb0(%x: @):\n"
      "%t, %l = transform.structured.tile_using_for %x tile_sizes [1] : (@) -> "
      "(@, @)\n}",
      "transform.foreach %h : @ {\n^bb0(%x: @):\n"
      "%p = transform.get_parent_op %x {isolated_from_above} : (@) -> @\n"
      "transform.apply_cse to %p : @\n}",
      "%l = transform.structured.convert_to_loops %h : (@) -> @",
      "transform.annotate %h \"mutant.rest\" : @"};
  if (!insertOneOf(place, rest, random, finishes))
    return false;
  // The schedule may go on with an op that it has a handle to.
  if (random.chance(0.3))
    if (Value handle = pickVisible(place, random, isStructuredKind))
      insertUse(place, handle);
  return true;
}
