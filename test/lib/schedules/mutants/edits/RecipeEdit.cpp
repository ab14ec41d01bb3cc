//===- RecipeEdit.cpp - Steps of a recipe -----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;

/// Clean-ups of functions.
static constexpr StringRef cleanUps[] = {
    "transform.apply_patterns to %f {\n"
    "transform.apply_patterns.canonicalization\n} : @",
    "transform.apply_patterns to %f {\n"
    "transform.apply_patterns.linalg.tiling_canonicalization\n"
    "transform.apply_patterns.scf.for_loop_canonicalization\n} {apply_cse} : @",
    "transform.apply_cse to %f : @", "transform.apply_dce to %f : @",
    "%g = transform.apply_registered_pass \"canonicalize\" to %f : (@) -> @"};

std::string formwork::testing::withTypes(StringRef text) {
  return fillIn(fillIn(text, '$', paramType), '&', anyOp);
}

Operation *formwork::testing::insertSteps(Operation *place,
                                          ArrayRef<Value> handles,
                                          StringRef text) {
  return insertText(place, handles, fillIn(text, '@', anyOp));
}

Value formwork::testing::insertMatch(Operation *place, Value scope,
                                     StringRef what) {
  Operation *match =
      insertText(place, scope,
                 "%m = transform.structured.match " + what + " in %h : (" +
                     getTypeText(scope) + ") -> " + anyOp);
  return match ? Value(match->getResult(0)) : Value();
}

Operation *formwork::testing::insertOneOf(Operation *place, Value handle,
                                          Random &random,
                                          ArrayRef<StringRef> steps) {
  return insertText(place, handle, fillIn(pickText(random, steps), '@', anyOp));
}

Operation *formwork::testing::insertCleanUp(Operation *place, Value handle,
                                            Random &random) {
  return insertText(
      place, handle,
      "%f = transform.get_parent_op %h {isolated_from_above, deduplicate} : "
      "(" +
          getTypeText(handle) + ") -> " + anyOp + "\n" +
          fillIn(pickText(random, cleanUps), '@', anyOp));
}

transform::MatchOp formwork::testing::getOrigin(Value handle) {
  while (Operation *made = handle.getDefiningOp()) {
    if (auto match = dyn_cast<transform::MatchOp>(made))
      return match;
    if (made->getNumOperands() == 0)
      break;
    handle = made->getOperand(0);
  }
  return transform::MatchOp();
}

bool formwork::testing::isContractionKind(StringRef kind) {
  return isStructuredKind(kind) && kind != "linalg.fill" &&
         kind != "linalg.copy";
}

unsigned formwork::testing::guessRank(Value handle) {
  StringRef kind = guessKind(handle);
  if (kind == "linalg.batch_matmul")
    return 4;
  if (!isContractionKind(kind))
    return 2;
  transform::MatchOp origin = getOrigin(handle);
  if (!origin || kind == "linalg.matmul")
    return 3;
  unsigned rank = 0;
  for (Operation *tile :
       getTilings(handle.getParentRegion()
                      ->getParentOfType<transform::NamedSequenceOp>(),
                  /*withForall=*/true)) {
    transform::MatchOp other = getOrigin(tile->getOperand(0));
    if (other && other->getAttrs() == origin->getAttrs())
      rank = std::max<unsigned>(rank, getSizes(tile).size());
  }
  return rank != 0 ? rank : 3;
}

std::optional<Spot> formwork::testing::pickRecipeSpot(
    transform::NamedSequenceOp entry, Random &random,
    llvm::function_ref<bool(StringRef kind)> fits, double atStart) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, fits);
  if (!spot || !isa<transform::AnyOpType>(spot->handle.getType()))
    return std::nullopt;
  Block &block = entry.getBody().front();
  bool first = random.chance(atStart);
  Value root = !first                         ? getRootAtEnd(entry)
               : block.getNumArguments() != 0 ? Value(block.getArgument(0))
                                              : Value();
  if (!root || random.chance(0.15))
    return spot;
  Operation *place = first ? &block.front() : block.getTerminator();
  transform::MatchOp match = getOrigin(spot->handle);
  if (!match || !isa<transform::AnyOpType>(root.getType()) ||
      !fits(guessKind(match.getResult())))
    return spot;
  Operation *anew = OpBuilder(place).clone(*match);
  anew->setOperand(0, root);
  return Spot{place, anew->getResult(0), anyOp.str()};
}

std::optional<Spot>
formwork::testing::pickSpotOfMatch(transform::NamedSequenceOp entry,
                                   Random &random,
                                   llvm::function_ref<bool(StringRef)> fits) {
  auto match = pickStep<transform::MatchOp>(entry, random, [&](auto step) {
    return isa<transform::AnyOpType>(step.getResult().getType()) &&
           fits(guessKind(step.getResult()));
  });
  if (!match || random.chance(0.25))
    return pickRecipeSpot(entry, random, fits);
  return Spot{match->getNextNode(), match.getResult(), anyOp.str()};
}

Value formwork::testing::insertProducers(Operation *place, Value consumer,
                                         Random &random) {
  unsigned operand = guessProduced(consumer, random);
  if (random.chance(0.3)) {
    Operation *made = insertProducer(place, consumer, operand);
    return made ? Value(made->getResult(0)) : Value();
  }
  Value functions = insertFunctions(place, consumer);
  Operation *match =
      functions ? insertText(place, functions,
                             "%m = transform.structured.match "
                             "ops{[\"linalg.fill\"]} in %h : (" +
                                 getTypeText(functions) + ") -> " + anyOp)
                : nullptr;
  return match ? Value(match->getResult(0)) : Value();
}

Operation *formwork::testing::insertLoops(Operation *place, Value handle,
                                          StringRef name, const Twine &sizes,
                                          unsigned numLoops) {
  SmallVector<Type> types(numLoops + 1,
                          transform::AnyOpType::get(place->getContext()));
  return insertTiling(place, handle, name, sizes, types);
}
