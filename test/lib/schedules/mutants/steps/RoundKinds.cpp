//===- RoundKinds.cpp - Breakage by steps that take each other back -------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/steps/RoundKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::outlineAndInline(NamedSequenceOp entry,
                                         Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  Operation *tile = insertLoops(place, spot->handle, "tile_using_for",
                                pickText(random, {"4", "8", "0, 8", "16"}));
  Operation *outline =
      tile ? insertSteps(place, tile->getResult(1),
                         "%f, %c = transform.loop.outline %h {func_name = "
                         "\"mutant_kernel\"} : (@) -> (@, @)")
           : nullptr;
  if (!outline)
    return false;
  Value made = outline->getResult(0), call = outline->getResult(1);
  if (random.chance(0.4) &&
      !insertSteps(
          place, made,
          pickText(random, {"transform.apply_cse to %h : @",
                            "transform.apply_patterns to %h {\n"
                            "transform.apply_patterns.canonicalization\n} : "
                            "@",
                            "%v = "
                            "transform.structured.vectorize_children_and_"
                            "apply_patterns %h : (@) -> @"})))
    return false;
  Operation *module = insertSteps(
      place, random.chance(0.8) ? call : made,
      "%m = transform.get_parent_op %h {op_name = \"builtin.module\", "
      "deduplicate} : (@) -> @");
  Operation *inlined =
      module ? insertSteps(place, module->getResult(0),
                           "%i = transform.apply_registered_pass \"inline\" "
                           "to %h : (@) -> @")
             : nullptr;
  if (!inlined)
    return false;
  // What is behind finds the op where it was, or by what it knew before.
  StringRef kind = guessKind(spot->handle);
  Value found = insertMatch(place, inlined->getResult(0),
                            ("ops{[\"" + kind + "\"]}").str());
  if (!found)
    return false;
  if (random.chance(0.5) && !insertOneOf(place, found, random, opSteps))
    return false;
  if (random.chance(0.75))
    rebindToResult(found.getDefiningOp(), spot->handle);
  else
    return goOnWith(tile, spot->handle, 0.8, random);
  return true;
}

bool formwork::testing::tilePacked(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOfMatch(
      entry, random, [](StringRef kind) { return kind.contains("matmul"); });
  if (!spot)
    return false;
  Operation *place = spot->place;
  unsigned rank = guessRank(spot->handle);
  Operation *pack = insertSteps(
      place, spot->handle,
      "%p = transform.structured.pack %h packed_sizes = [" +
          pickNumbers(random, random.chance(0.9) ? rank : 2, {0, 2, 4, 8}) +
          "] : (@) -> @");
  if (!pack)
    return false;
  Value packed = pack->getResult(0);
  bool toForall = random.chance(0.3);
  Operation *tile = insertLoops(
      place, packed, toForall ? "tile_using_forall" : "tile_using_for",
      pickText(random, {"1", "1, 1", "0, 1", "2, 2"}), 1);
  if (!tile)
    return false;
  if (random.chance(0.6)) {
    Operation *producer =
        insertProducer(place, random.chance(0.6) ? packed : tile->getResult(0),
                       random.below(3));
    if (!producer)
      return false;
    if (producer->getOperand(0) == packed)
      producer->moveBefore(tile);
    if (toForall || random.chance(0.5)) {
      if (!insertFusion(place, producer->getResult(0), tile->getResult(1)))
        return false;
    } else if (!insertSteps(place, producer->getResult(0),
                            "%a, %b = transform.structured.tile_using_for %h "
                            "tile_sizes [1] : (@) -> (@, @)")) {
      return false;
    }
  }
  if (random.chance(0.4) &&
      !insertOneOf(place, tile->getResult(0), random, opSteps))
    return false;
  return goOnWith(tile, spot->handle, 0.75, random);
}
