//===- PartKinds.cpp - Breakage by parts of a handle ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/handles/PartKinds.h"

#include "test/lib/schedules/mutants/edits/OrderEdit.h"
#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::selectOfWide(NamedSequenceOp entry, Random &random) {
  auto match = pickStep<transform::MatchOp>(entry, random, [](auto step) {
    return isa<transform::AnyOpType>(step.getResult().getType()) &&
           isa<transform::AnyOpType>(step.getTarget().getType()) &&
           step.getOps() && step.getOps()->size() == 1;
  });
  if (!match)
    return false;
  StringRef kind = cast<StringAttr>((*match.getOps())[0]).getValue();
  std::string wide =
      isStructuredKind(kind) ? pickText(random, {"interface{LinalgOp}",
                                                 "interface{TilingInterface}",
                                                 "interface{LinalgOp}"})
                                   .str()
      : isLoopKind(kind)     ? "interface{LoopLikeInterface}"
                         : ("ops{[\"" + kind + "\", \"" +
                            pickText(random, {"tensor.empty", "arith.constant",
                                              "scf.for", "linalg.fill"}) +
                            "\"]}")
                               .str();
  Value all = insertMatch(match, match.getTarget(), wide);
  if (!all)
    return false;
  // Seldom, the selection comes late.
  Operation *place = match;
  if (random.chance(0.15) && !match->use_empty()) {
    place = match->getBlock()->getTerminator();
    for (Operation *user : match->getUsers()) {
      Operation *step = match->getBlock()->findAncestorOpInBlock(*user);
      if (step->isBeforeInBlock(place))
        place = step;
    }
  }
  bool misses = random.chance(0.1);
  Operation *select = insertSteps(
      place, all,
      ("%s = transform.select \"" +
       (misses ? pickText(random, {"linalg.generic", "linalg.copy"}) : kind) +
       "\" in %h : (@) -> @")
          .str());
  if (!select)
    return false;
  match.getResult().replaceAllUsesWith(select->getResult(0));
  match->erase();
  return true;
}

bool formwork::testing::reverseParts(NamedSequenceOp entry, Random &random) {
  auto match = pickStep<transform::MatchOp>(entry, random, [](auto step) {
    return isa<transform::AnyOpType>(step.getResult().getType());
  });
  if (!match)
    return false;
  Operation *place = match->getNextNode();
  // The first on its own, and the others; there may be no others.
  std::string manner =
      pickText(random,
               {"{fail_on_payload_too_small = false}",
                "{fail_on_payload_too_small = false}",
                "{fail_on_payload_too_small = false}",
                "{overflow_result = 1, fail_on_payload_too_small = false}",
                "{overflow_result = 0, fail_on_payload_too_small = false}",
                "{overflow_result = 1}", ""})
          .str();
  Operation *split = insertSteps(place, match.getResult(),
                                 "%a, %b = transform.split_handle %h " +
                                     manner + " : (@) -> (@, @)");
  if (!split)
    return false;
  Value first = split->getResult(0), second = split->getResult(1);
  if (random.chance(0.3) &&
      !insertOneOf(place, random.chance(0.5) ? first : second, random, opSteps))
    return false;
  Operation *merge =
      insertSteps(place, {second, first},
                  pickText(random, {"%m = transform.merge_handles "
                                    "%h, %h1 : @",
                                    "%m = transform.merge_handles "
                                    "deduplicate %h, %h1 : @"}));
  return merge && rebindToResult(merge, match.getResult());
}

bool formwork::testing::noneLeft(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot =
      pickSpotOf(entry, random, [](StringRef kind) { return !kind.empty(); });
  Operation *place = spot ? spot->place : nullptr;
  Value root = place && place->getBlock() == &entry.getBody().front()
                   ? pickVisible(place, random, isScopeKind)
                   : Value();
  if (!root || !isa<transform::AnyOpType>(root.getType()))
    return false;
  StringRef kind = pickText(
      random, {"linalg.fill", "linalg.matmul", "linalg.generic", "tensor.pad",
               "tensor.empty", "scf.for", "vector.contract",
               "bufferization.to_"
               "tensor"});
  if (random.chance(0.3))
    kind = guessKind(spot->handle);
  std::string found = ("%f = transform.structured.match ops{[\"" + kind +
                       "\"]} in %h : (@) -> "
                       "@\n")
                          .str();
  std::string asks =
      pickText(random,
               {"transform.match.operation_empty %f : @",
                "transform.match.operation_empty %f : @",
                "%n = transform.num_associations %f : (@) -> "
                "!transform.param<i64>\n%c = transform.param.constant 1 : i64 "
                "-> !transform.param<i64>\ntransform.match.param.cmpi le %n, "
                "%c : !transform.param<i64>",
                "%n = transform.num_associations %f : (@) -> "
                "!transform.param<i64>\n%c = transform.param.constant 1 : i64 "
                "-> !transform.param<i64>\ntransform.match.param.cmpi ge %n, "
                "%c : !transform.param<i64>"})
          .str();
  if (random.chance(0.45))
    return insertSteps(place, root, found + asks);
  // What is behind the question is done only where the answer is yes.
  std::string then = pickText(random, {"", "\ntransform.apply_cse to %r : @",
                                       "\ntransform.annotate %r \"mutant.none\""
                                       " : @"})
                         .str();
  std::string inside = found + asks;
  size_t at = inside.find("%h");
  inside.replace(at, 2, "%r");
  Value functions = insertFunctions(place, root);
  return functions &&
         insertSteps(place, functions,
                     "transform.sequence %h : @ failures(suppress) {\n^bb0(%r: "
                     "@):\n" +
                         inside + then + "\n}");
}

/// The steps of the block of `match` that what it finds leads to.
static llvm::SmallSetVector<Operation *, 8>
getBranch(transform::MatchOp match) {
  llvm::SmallSetVector<Operation *, 8> branch;
  for (Operation *step = match->getNextNode();
       step && !step->hasTrait<OpTrait::IsTerminator>();
       step = step->getNextNode()) {
    llvm::SmallSetVector<Operation *, 4> needed = getNeeded(step);
    if (llvm::any_of(needed, [&](Operation *made) {
          return made == match || branch.contains(made);
        }))
      branch.insert(step);
  }
  return branch;
}

bool formwork::testing::branchPerPart(NamedSequenceOp entry, Random &random) {
  SmallVector<transform::MatchOp> matches = getStructuredMatches(entry);
  if (matches.empty())
    return false;
  transform::MatchOp match = matches[random.below(matches.size())];
  llvm::SmallSetVector<Operation *, 8> branch = getBranch(match);
  if (branch.empty() || branch.size() > 20)
    return false;
  Value found = match.getResult();
  // Mostly two parts; what is not there is passed over, or asked for.
  unsigned number = random.chance(0.8) ? 2 : 3;
  std::string types = number == 2 ? "@, @" : "@, @, @";
  Operation *split = insertSteps(
      match->getNextNode(), found,
      "%p:" + std::to_string(number) + " = transform.split_handle %h" +
          pickText(random, {" {fail_on_payload_too_small = false}",
                            " {fail_on_payload_too_small = false}",
                            " {overflow_result = 1}", ""})
              .str() +
          " : (@) -> (" + types + ")");
  if (!split)
    return false;
  rebindBehind(split, found, split->getResult(0));
  // The copies stand behind the branch, or each behind the step it copies.
  bool interleaves = random.chance(0.35);
  Operation *end = branch.back()->getNextNode();
  for (unsigned part = 1; part < number; ++part) {
    IRMapping mapping;
    mapping.map(split->getResult(0), split->getResult(part));
    for (Operation *step : branch)
      OpBuilder(interleaves ? step->getNextNode() : end).clone(*step, mapping);
  }
  return true;
}
