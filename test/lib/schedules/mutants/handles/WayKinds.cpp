//===- WayKinds.cpp - Breakage by other ways to an op ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/handles/WayKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Finds the tile of a tiling as the op that a loop inserts into its result.
static bool findByInsertion(Operation *tiling, Random &random) {
  Operation *place = tiling->getNextNode();
  Value loop =
      tiling->getResult(random.chance(0.85) ? tiling->getNumResults() - 1 : 1);
  bool isForall = isa<transform::TileUsingForallOp>(tiling);
  if (random.chance(0.1))
    isForall = !isForall;
  Value insertion =
      insertMatch(place, loop,
                  isForall ? "ops{[\"tensor.parallel_insert_slice\"]}"
                           : "ops{[\"tensor.insert_slice\"]}");
  Operation *found =
      insertion ? insertProducer(place, insertion, random.chance(0.1) ? 1 : 0)
                : nullptr;
  return found && rebindToResult(found, tiling->getResult(0));
}

bool formwork::testing::backFromTheEnd(NamedSequenceOp entry, Random &random) {
  Ops tilings = getUntypedTilings(entry);
  llvm::erase_if(
      tilings, [](Operation *tile) { return tile->getResult(0).use_empty(); });
  if (Operation *tiling = pickStep(tilings, random);
      tiling && random.chance(0.4))
    return findByInsertion(tiling, random);
  SmallVector<transform::MatchOp> matches = getStructuredMatches(entry);
  if (matches.empty())
    return false;
  auto match = matches[random.below(matches.size())];
  Value step = insertMatch(match, match.getTarget(), "ops{[\"func.return\"]}");
  if (!step)
    return false;
  // An op that initializes another is one step further back.
  unsigned depth = isContractionKind(guessKind(match.getResult())) ? 1 : 2;
  if (random.chance(0.15))
    depth = random.between(1, 3);
  for (unsigned i = 0; i < depth; ++i) {
    unsigned operand = i == 0               ? 0
                       : random.chance(0.8) ? matches.size() > 1 ? 2 : 1
                                            : random.below(3);
    Operation *producer = insertProducer(match, step, operand);
    if (!producer)
      return false;
    step = producer->getResult(0);
  }
  match.getResult().replaceAllUsesWith(step);
  match->erase();
  return true;
}

bool formwork::testing::pairsByMatcher(NamedSequenceOp entry, Random &random) {
  auto isPlain = [](transform::MatchOp match) {
    return isa<transform::AnyOpType>(match.getResult().getType()) &&
           match.getOps() && match.getOps()->size() == 1;
  };
  auto match = pickStep<transform::MatchOp>(entry, random, [&](auto step) {
    return isPlain(step) && isContractionKind(guessKind(step.getResult()));
  });
  if (!match)
    return false;
  StringRef operand =
      pickText(random, {"init %s[0]", "init %s[0]", "init %s[0]", "input %s[0]",
                        "input %s[1]", "init %s[all]"});
  bool swaps = random.chance(0.12);
  if (!insertSequences(
          entry,
          withTypes(("transform.named_sequence @mutant_pair(%op: & "
                     "{transform.readonly}) -> (&, &) {\n"
                     "transform.match.operation_name %op [\"" +
                     guessKind(match.getResult()) +
                     "\"] : &\n"
                     "%p = transform.match.structured failures(propagate) %op "
                     ": (&) -> & {\n^bb0(%s: &):\n"
                     "%i = transform.match.structured." +
                     operand +
                     " : (&) -> &\n"
                     "transform.match.structured.yield %i : &\n}\n"
                     "transform.yield " +
                     (swaps ? "%p, %op" : "%op, %p") + " : &, &\n}")
                        .str())))
    return false;
  Operation *collect =
      insertText(match, match.getTarget(),
                 "%a, %b = transform.collect_matching @mutant_pair in %h : (" +
                     Twine(getTypeText(match.getTarget())) + ") -> (" + anyOp +
                     ", " + anyOp + ")");
  if (!collect)
    return false;
  // The producer may have a match of its own, which goes.
  bool isRead = false;
  for (Operation *next = match->getNextNode(); next && !isRead;
       next = next->getNextNode()) {
    auto other = dyn_cast<transform::MatchOp>(next);
    isRead = other && isPlain(other) && !other->use_empty() &&
             guessKind(other.getResult()) == "linalg.fill";
    if (isRead)
      other.getResult().replaceAllUsesWith(collect->getResult(1));
  }
  match.getResult().replaceAllUsesWith(collect->getResult(0));
  if (!isRead && random.chance(0.6) &&
      !insertOneOf(match->getNextNode(), collect->getResult(1), random,
                   opSteps))
    return false;
  match->erase();
  return true;
}

bool formwork::testing::loopsByKind(NamedSequenceOp entry, Random &random) {
  Uses uses = getGuessedUses(entry);
  llvm::erase_if(uses, [](OpOperand *use) {
    return !isLoopKind(guessKind(use->get())) ||
           !isa<transform::AnyOpType>(use->get().getType());
  });
  Value loop;
  Operation *place = nullptr;
  OpOperand *use = nullptr;
  if (!uses.empty()) {
    use = uses[random.below(uses.size())];
    loop = use->get();
    place = use->getOwner();
  } else if (std::optional<Spot> spot = pickSpotOfMatch(entry, random)) {
    Operation *tile = insertLoops(spot->place, spot->handle, "tile_using_for",
                                  pickText(random, {"4, 4", "8, 4"}), 2);
    if (!tile)
      return false;
    rebindToResult(tile, spot->handle);
    loop = tile->getResult(random.between(1, 2));
    place = spot->place;
  }
  if (!loop)
    return false;
  Value scope = pickVisible(place, random, isScopeKind);
  Value found = scope
                    ? insertMatch(place, scope,
                                  ("ops{[\"" + guessKind(loop) + "\"]}").str())
                    : Value();
  if (!found)
    return false;
  if (random.chance(0.4)) {
    // The first of some number of loops.
    Operation *split = insertSteps(
        place, found,
        pickText(random,
                 {"%a = transform.split_handle %h : (@) -> @",
                  "%a, %b = transform.split_handle %h {overflow_result = 1} : "
                  "(@) -> (@, @)",
                  "%a, %b = transform.split_handle %h "
                  "{fail_on_payload_too_small = false} : (@) -> (@, @)"}));
    if (!split)
      return false;
    found = split->getResult(0);
  }
  if (!use)
    return insertOneOf(place, found, random, loopSteps);
  if (random.chance(0.4))
    rebindBehind(found.getDefiningOp(), loop, found);
  use->set(found);
  return true;
}

bool formwork::testing::loopsByCount(NamedSequenceOp entry, Random &random) {
  Ops tilings = getUntypedTilings(entry);
  llvm::erase_if(tilings, [&](Operation *tile) {
    return tile->getParentOp() != entry ||
           !isa<transform::TileUsingForOp>(tile);
  });
  Operation *tile = pickStep(tilings, random);
  Operation *place = tile ? tile->getNextNode() : nullptr;
  Value root = tile ? getRootBefore(place) : Value();
  if (!root)
    return false;
  // As many loops as the schedule has made so far.
  unsigned before = 0, number = tile->getNumResults() - 1;
  for (Operation *other : tilings)
    if (other->isBeforeInBlock(tile))
      before += other->getNumResults() - 1;
  unsigned count = before + number;
  if (random.chance(0.15))
    count += count > 1 && random.chance(0.5) ? -1 : 1;
  Value found = insertMatch(place, root, "ops{[\"scf.for\"]}");
  if (!found)
    return false;
  std::string types = "@";
  for (unsigned i = 1; i < count; ++i)
    types += ", @";
  Operation *split = insertSteps(
      place, found,
      "%a:" + std::to_string(count) + " = transform.split_handle %h" +
          pickText(random, {"", "", " {fail_on_payload_too_small = false}",
                            " {overflow_result = 0}"})
              .str() +
          " : (@) -> (" + types + ")");
  if (!split)
    return false;
  // The match walks a nest from the inside; most take the first for the outer.
  bool knows = random.chance(0.4), isRead = false;
  for (unsigned i = 0; i < number; ++i) {
    unsigned part = before + (knows ? number - 1 - i : i);
    if (part < count)
      isRead |=
          rebindBehind(split, tile->getResult(i + 1), split->getResult(part));
  }
  return isRead ||
         insertOneOf(place, split->getResult(std::min(before, count - 1)),
                     random, loopSteps);
}
