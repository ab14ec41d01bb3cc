//===- ReachKinds.cpp - Breakage of ways to payload -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/handles/ReachKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// The handle that the schedule gets; null when it gets none of any kind.
static Value getRoot(NamedSequenceOp entry) {
  Block &block = entry.getBody().front();
  if (block.getNumArguments() == 0 ||
      !isa<transform::AnyOpType>(block.getArgument(0).getType()))
    return Value();
  return block.getArgument(0);
}

bool formwork::testing::functionScope(NamedSequenceOp entry, Random &random) {
  Value root = getRoot(entry);
  if (!root)
    return false;
  SmallVector<transform::MatchOp> matches;
  for (Operation *step : getSteps(entry))
    if (auto match = dyn_cast<transform::MatchOp>(step))
      if (match.getTarget() == root)
        matches.push_back(match);
  if (matches.empty())
    return false;
  // Some think of it half-way; some keep apart what asks for the functions.
  unsigned first = random.chance(0.65) ? 0 : random.below(matches.size());
  bool sharesFunctions = random.chance(0.6);
  Block &block = entry.getBody().front();
  Operation *place = first == 0 ? &block.front()
                                : block.findAncestorOpInBlock(*matches[first]);
  Value functions = insertMatch(place, root, "ops{[\"func.func\"]}");
  if (!functions)
    return false;
  bool changed = false;
  for (transform::MatchOp match : ArrayRef(matches).drop_front(first)) {
    if (guessKind(match.getResult()) != "func.func") {
      match.getTargetMutable().set(functions);
      changed = true;
    } else if (sharesFunctions &&
               match.getResult().getType() == functions.getType()) {
      match.getResult().replaceAllUsesWith(functions);
      match->erase();
    }
  }
  return changed;
}

bool formwork::testing::rootByParent(NamedSequenceOp entry, Random &random) {
  Value root = getRoot(entry);
  Ops readers;
  for (Operation *step : getOuterSteps(entry))
    if (root && llvm::is_contained(step->getOperands(), root))
      readers.push_back(step);
  Operation *place = pickStep(readers, random);
  if (!place)
    return false;
  // Mostly from something that is at hand; it may be gone.
  Value inside = pickVisible(place, random, [](StringRef kind) {
    return isStructuredKind(kind) || isLoopKind(kind) || kind == "func.func";
  });
  if (!inside)
    inside = insertMatch(place, root, "ops{[\"func.func\"]}");
  StringRef manner = pickText(
      random, {"{op_name = \"builtin.module\", deduplicate}",
               "{op_name = \"builtin.module\", deduplicate}",
               "{op_name = \"builtin.module\"}",
               "{isolated_from_above, nth_parent = 2 : i64, deduplicate}"});
  Operation *parent =
      inside ? insertText(place, inside,
                          "%p = transform.get_parent_op %h " + manner + " : (" +
                              getTypeText(inside) + ") -> " + anyOp)
             : nullptr;
  if (!parent)
    return false;
  Value module = parent->getResult(0);
  if (random.chance(0.6))
    return rebindBehind(parent, root, module);
  place->replaceUsesOfWith(root, module);
  return true;
}

/// The navigation from what `other` holds to what `kind` names: an op that
/// fills is a producer, and its readers are consumers; of others, it is a
/// guess.
static std::string getNavigation(StringRef kind, Value other, Random &random) {
  bool isProducer = kind == "linalg.fill" ||
                    (guessKind(other) != "linalg.fill" && random.chance(0.5));
  if (!isProducer)
    return "transform.get_consumers_of_result %h[0]";
  // A filled value initializes the result, which is the last operand.
  unsigned last = guessKind(other).contains("matmul") ? 2 : 1;
  unsigned operand = kind == "linalg.fill" || random.chance(0.5)
                         ? last
                         : random.below(last + 1);
  return "transform.get_producer_of_operand %h[" + std::to_string(operand) +
         "]";
}

bool formwork::testing::foundByNeighbour(NamedSequenceOp entry,
                                         Random &random) {
  auto isOne = [](transform::MatchOp match) {
    return isa<transform::AnyOpType>(match.getResult().getType()) &&
           isStructuredKind(guessKind(match.getResult()));
  };
  auto match = pickStep<transform::MatchOp>(entry, random, [&](auto step) {
    return isOne(step) && !step->use_empty();
  });
  auto other = pickStep<transform::MatchOp>(entry, random, [&](auto step) {
    return isOne(step) && match && step != match &&
           step->getBlock() == match->getBlock();
  });
  if (!other)
    return false;
  Operation *first = nullptr;
  for (Operation *user : match->getUsers()) {
    Operation *step = match->getBlock()->findAncestorOpInBlock(*user);
    if (!first || step->isBeforeInBlock(first))
      first = step;
  }
  Operation *place =
      match->isBeforeInBlock(other) ? other->getNextNode() : match;
  // Some look only when they need it; the other op may have changed by then.
  if (random.chance(0.3))
    place = first;
  if (!other->isBeforeInBlock(place) || first->isBeforeInBlock(place))
    return false;
  Operation *found = insertSteps(place, other.getResult(),
                                 "%n = " +
                                     getNavigation(guessKind(match.getResult()),
                                                   other.getResult(), random) +
                                     " : (@) -> @");
  if (!found)
    return false;
  match.getResult().replaceAllUsesWith(found->getResult(0));
  match->erase();
  return true;
}
