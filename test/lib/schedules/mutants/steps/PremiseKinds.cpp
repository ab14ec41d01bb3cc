//===- PremiseKinds.cpp - Breakage of a premise ---------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/steps/PremiseKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::tryOptional(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  static constexpr StringRef tries[] = {
      "%r = transform.structured.interchange %x iterator_interchange = [1, 0] "
      ": (@) -> @\n",
      "%g = transform.structured.generalize %x : (@) -> @\n"
      "%r = transform.structured.interchange %g iterator_interchange = [1, 0, "
      "2] : (@) -> @\n",
      "%r, %l = transform.structured.tile_using_for %x tile_sizes [4] : (@) -> "
      "(@, @)\n%a, %b = transform.split_handle %l : (@) -> (@, @)\n",
      "%r, %l = transform.structured.tile_using_for %x tile_sizes [4] : (@) -> "
      "(@, @)\ntransform.loop.promote_if_one_iteration %l : @\n",
      "%p = transform.get_parent_op %x {op_name = \"scf.for\"} : (@) -> @\n"
      "transform.apply_licm to %p : @\n%r = transform.merge_handles %x : @\n",
      "%p = transform.get_producer_of_operand %x[2] : (@) -> @\n"
      "%q, %l = transform.structured.tile_using_for %p tile_sizes [2] : (@) -> "
      "(@, @)\n%r = transform.merge_handles %x : @\n",
      "%r, %k:4 = transform.structured.tile_using_for %x tile_sizes [2, 2, 2, "
      "2] : (@) -> (@, @, @, @, @)\n"};
  bool gives = random.chance(0.6);
  std::string text = "transform.sequence ";
  if (gives)
    text = "%s = " + text + "%h : @ -> @";
  else
    text += "%h : @";
  text += " failures(suppress) {\n^bb0(%x: @):\n" +
          pickText(random, tries).str() +
          (gives ? "transform.yield %r : @\n}" : "}");
  Operation *sequence =
      insertText(spot->place, spot->handle, fillIn(text, '@', anyOp));
  if (!sequence)
    return false;
  bool knows = gives && random.chance(0.65);
  if (random.chance(0.85) &&
      !insertOneOf(spot->place, knows ? sequence->getResult(0) : spot->handle,
                   random, opSteps))
    return false;
  if (knows)
    rebindToResult(sequence, spot->handle);
  return true;
}

bool formwork::testing::typedHelper(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  StringRef kind = guessKind(spot->handle);
  if (kind == "linalg.generic")
    kind = pickText(random, {"linalg.matmul", "linalg.matmul", "linalg.generic",
                             "linalg.fill"});
  std::string type = ("!transform.op<\"" + kind + "\">").str();
  StringRef body = pickText(
      random, {"%r, %l = transform.structured.tile_using_for %a tile_sizes [4] "
               ": ($) -> (#, &)\n",
               "%r, %l = transform.structured.tile_using_forall %a tile_sizes "
               "[4, 4] : ($) -> (#, &)\n",
               "%r = transform.structured.generalize %a : ($) -> #\n"});
  // The helper may hand out another kind than it takes.
  bool keepsType = random.chance(0.4);
  std::string result = keepsType ? type : anyOp.str();
  auto write = [&](StringRef text) {
    return fillIn(fillIn(fillIn(text, '$', type), '#', result), '&', anyOp);
  };
  if (!insertSequences(entry,
                       write("transform.named_sequence @mutant_typed(%a: $ "
                             "{transform.consumed}) -> # {\n" +
                             body.str() + "transform.yield %r : #\n}")))
    return false;
  std::string call =
      write("%x = transform.cast %h : & to $\n"
            "%r = transform.include @mutant_typed "
            "failures(propagate) (%x) : ($) -> #\n") +
      (keepsType ? write("%y = transform.cast %r : # to &") : std::string());
  Operation *first = insertText(spot->place, spot->handle, call);
  if (!first)
    return false;
  rebindToResult(first, spot->handle);
  if (random.chance(0.4))
    return true;
  // Mostly for another op of the kind; or once more for this one.
  Value other = random.chance(0.3)
                    ? first->getResult(0)
                    : pickVisible(spot->place, random, isStructuredKind);
  return !other || !isa<transform::AnyOpType>(other.getType()) ||
         other == spot->handle || insertText(spot->place, other, call);
}

bool formwork::testing::guardByShape(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(
      entry, random, random.chance(0.5) ? isScopeKind : isStructuredKind);
  Value functions = spot ? insertFunctions(spot->place, spot->handle) : Value();
  if (!functions)
    return false;
  StringRef dimension = pickText(random, {"0", "1", "-1", "all", "5"});
  StringRef relation = pickText(random, {"ge", "le", "eq", "gt"});
  StringRef bound = pickText(random, {"8", "16", "64", "1"});
  StringRef act = pickText(
      random,
      {"%t, %l = transform.structured.tile_using_for %op tile_sizes [4] : (&) "
       "-> (&, &)",
       "%t, %l = transform.structured.tile_using_for %op tile_sizes [0, 0, 8] "
       ": (&) -> (&, &)",
       "transform.structured.vectorize %op : &",
       "%g = transform.structured.generalize %op : (&) -> &",
       "%p = transform.get_parent_op %op {op_name = \"scf.for\"} : (&) -> &\n"
       "transform.annotate %p \"mutant.guarded\" : &",
       "transform.annotate %op \"mutant.guarded\" : &"});
  std::string sequences =
      "transform.named_sequence @mutant_fits(%op: & {transform.readonly}) -> & "
      "{\n%d = transform.match.structured failures(propagate) %op : (&) -> $ "
      "{\n^bb0(%s: &):\n%n = transform.match.structured.dim %s[" +
      dimension.str() +
      "] : (&) -> $\ntransform.match.structured.yield %n : $\n}\n"
      "%c = transform.param.constant " +
      bound.str() + " : i64 -> $\ntransform.match.param.cmpi " +
      relation.str() +
      " %d, %c : $\ntransform.yield %op : &\n}\n"
      "transform.named_sequence @mutant_guarded(%op: & {transform.consumed}) "
      "{\n" +
      act.str() + "\ntransform.yield\n}";
  if (!insertSequences(entry, withTypes(sequences)))
    return false;
  std::string type = getTypeText(functions);
  Operation *match = insertText(
      spot->place, functions,
      "%r = transform.foreach_match in %h @mutant_fits -> @mutant_guarded : (" +
          type + ") -> " + type);
  return goOnWith(match, functions, 0.85, random);
}

bool formwork::testing::packedSizes(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  std::string text;
  if (random.chance(0.25)) {
    text = "%m = transform.match.structured failures(propagate) %h : (@) -> $ "
           "{\n^bb0(%s: @):\n%n = transform.match.structured.dim %s[" +
           pickText(random, {"all", "0, 1", "0"}).str() +
           "] : (@) -> $\ntransform.match.structured.yield %n : $\n}\n";
  } else {
    unsigned number = random.between(1, 4);
    std::string list;
    for (unsigned i = 0; i < number; ++i) {
      text += "%p" + std::to_string(i) + " = transform.param.constant " +
              pickNumbers(random, 1, {4, 8, 2, 0, 5}) + " : i64 -> $\n";
      list += (i ? ", %p" : "%p") + std::to_string(i);
    }
    text += "%m = transform.merge_handles " + list + " : $\n";
  }
  StringRef which =
      pickText(random, {"tile_sizes", "tile_sizes", "num_threads"});
  StringRef mapping =
      pickText(random, {"", "", "(mapping = [#gpu.block<y>, #gpu.block<x>]) "});
  text += "%t, %l = transform.structured.tile_using_forall %h " + which.str() +
          " *(%m) " + mapping.str() + ": (@, $) -> (@, @)";
  Operation *tile =
      insertText(spot->place, spot->handle,
                 fillIn(fillIn(text, '$', paramType), '@', anyOp));
  if (!tile)
    return false;
  if (random.chance(0.5))
    insertOneOf(spot->place, tile->getResult(0), random, opSteps);
  return goOnWith(tile, spot->handle, 0.7, random);
}
