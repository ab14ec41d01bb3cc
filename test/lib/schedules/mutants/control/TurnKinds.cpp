//===- TurnKinds.cpp - Breakage in the turns of a loop ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/control/TurnKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::loopsOfNest(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  bool three = random.chance(0.35);
  StringRef sizes = three ? "4, 8, 2" : pickText(random, {"4, 4", "8, 2"});
  Operation *tile =
      insertLoops(place, spot->handle, "tile_using_for", sizes, three ? 3 : 2);
  if (!tile)
    return false;
  Value outer = tile->getResult(1), inner = tile->getResult(2);
  if (random.chance(0.5))
    std::swap(outer, inner);
  Operation *merge = insertSteps(place, {outer, inner},
                                 "%m = transform.merge_handles %h, %h1 : @");
  if (!merge)
    return false;
  StringRef each = pickText(
      random, {"transform.apply_licm to %x : @",
               "transform.annotate %x \"mutant.level\" : @",
               "transform.loop.hoist_loop_invariant_subsets %x : @",
               "transform.loop.unroll %x {factor = 2} : @",
               "transform.loop.promote_if_one_iteration %x : @",
               "%p, %r = transform.loop.peel %x : (@) -> (@, @)",
               "%p = transform.get_parent_op %x {op_name = \"scf.for\", "
               "allow_empty_results} : (@) -> @\n"
               "transform.annotate %p \"mutant.around\" : @"});
  if (!insertSteps(place, merge->getResult(0),
                   "transform.foreach %h : @ {\n^bb0(%x: @):\n" + each.str() +
                       "\n}"))
    return false;
  if (random.chance(0.6)) {
    StringRef level = pickText(random, {"1", "1", "2", "2", "3"});
    StringRef name = pickText(
        random, {"op_name = \"scf.for\", ", "op_name = \"scf.for\", ", ""});
    Operation *parent =
        insertSteps(place, tile->getResult(0),
                    "%p = transform.get_parent_op %h {" + name.str() +
                        "nth_parent = " + level.str() + "} : (@) -> @");
    if (!parent || !insertOneOf(place, parent->getResult(0), random, loopSteps))
      return false;
  }
  if (random.chance(0.4) &&
      !insertOneOf(place, tile->getResult(random.between(1, 2)), random,
                   loopSteps))
    return false;
  return goOnWith(tile, spot->handle, 0.85, random);
}

bool formwork::testing::sizePerTurn(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  StringRef kind = guessKind(spot->handle);
  unsigned number = random.between(1, 3);
  std::string text, list;
  for (unsigned i = 0; i < number; ++i) {
    text += "%p" + std::to_string(i) + " = transform.param.constant " +
            pickNumbers(random, 1, {16, 8, 4, 2, 0}) + " : i64 -> $\n";
    list += (i ? ", %p" : "%p") + std::to_string(i);
  }
  text += "%s = transform.merge_handles " + list + " : $\n";
  std::string tile = "%t, %l = transform.structured.tile_using_for %x "
                     "tile_sizes [%n] : (&, $) -> (&, &)\n";
  unsigned manner = random.below(4);
  Value scope;
  switch (manner) {
  case 0:
    // From the second turn on, that op is gone.
    text += "%r = transform.foreach %s : $ -> & {\n^bb0(%n: $):\n"
            "%x = transform.merge_handles %h : &\n";
    break;
  case 1:
    // Matched for each size, the tiles are tiled again.
    scope = insertFunctions(spot->place, spot->handle);
    if (!scope || kind.empty())
      return false;
    text += "%r = transform.foreach %s : $ -> & {\n^bb0(%n: $):\n"
            "%x = transform.structured.match ops{[\"" +
            kind.str() + "\"]} in %h1 : (" + getTypeText(scope) + ") -> &\n";
    break;
  default:
    // A size for each op, of which there may be more or fewer.
    text += std::string("%r = transform.foreach %h, %s") +
            (random.chance(0.6) ? " with_zip_shortest" : "") +
            " : &, $ -> & {\n^bb0(%x: &, %n: $):\n";
  }
  text += tile + "transform.yield %t : &\n}";
  Values handles{spot->handle};
  if (scope)
    handles.push_back(scope);
  Operation *loop = insertText(spot->place, handles, withTypes(text));
  if (!loop)
    return false;
  Value made = loop->getResult(0);
  if (random.chance(0.5)) {
    Value next = random.chance(0.85) ? made : spot->handle;
    if (!insertOneOf(spot->place, next, random, opSteps))
      return false;
  }
  return goOnWith(loop, spot->handle, 0.85, random);
}

bool formwork::testing::cleanPerOp(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot =
      pickRecipeSpot(entry, random, isStructuredKind, /*atStart=*/0.4);
  if (!spot)
    return false;
  Operation *place = spot->place;
  Value over = spot->handle;
  if (random.chance(0.5)) {
    Value functions = insertFunctions(place, over);
    over = functions ? insertMatch(place, functions,
                                   pickText(random, {"interface{LinalgOp}",
                                                     "ops{[\"linalg.fill\"]}",
                                                     "interface{LinalgOp}"}))
                     : Value();
    if (!over)
      return false;
  }
  StringRef step = pickText(
      random,
      {"%t, %l = transform.structured.tile_using_for %x tile_sizes [4] : (&) "
       "-> (&, &)\n",
       "%t, %l = transform.structured.tile_using_forall %x tile_sizes [8] : "
       "(&) -> (&, &)\n",
       "%t = transform.structured.generalize %x : (&) -> &\n",
       "transform.annotate %x \"mutant.turn\" : &\n"
       "%t = transform.merge_handles %x : &\n"});
  StringRef clean = pickText(
      random,
      {"transform.apply_cse to %f : &\n", "transform.apply_dce to %f : &\n",
       "transform.apply_patterns to %f {\n"
       "transform.apply_patterns.canonicalization\n} : &\n",
       "transform.apply_patterns to %f {\n"
       "transform.apply_patterns.linalg.tiling_canonicalization\n} : &\n",
       "%g = transform.apply_registered_pass \"canonicalize\" to %f : (&) -> "
       "&\n"});
  bool cleansFirst = random.chance(0.25);
  std::string parent = std::string("%f = transform.get_parent_op ") +
                       (cleansFirst ? "%x" : "%t") +
                       " {isolated_from_above} : (&) -> &\n";
  std::string body = cleansFirst ? parent + clean.str() + step.str()
                                 : step.str() + parent + clean.str();
  Operation *loop = insertText(
      place, over,
      withTypes("%r = transform.foreach %h : & -> & {\n^bb0(%x: &):\n" + body +
                "transform.yield %t : &\n}"));
  if (!loop)
    return false;
  Value next = random.chance(0.75) ? Value(loop->getResult(0)) : over;
  if (random.chance(0.6) && !insertOneOf(place, next, random, opSteps))
    return false;
  return over != spot->handle || goOnWith(loop, spot->handle, 0.85, random);
}
