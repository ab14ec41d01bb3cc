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

namespace {
/// Two steps or passes, of which the second takes back the first.
struct RoundTrip {
  StringLiteral there, back;
};
} // namespace

static constexpr RoundTrip onOps[] = {{"generalize", "specialize"},
                                      {"generalize", "specialize"},
                                      {"specialize", "generalize"},
                                      {"specialize", "specialize"}};
static constexpr RoundTrip onFunctions[] = {
    {"named-to-category", "category-to-generic"},
    {"named-to-generic", "generic-to-named"},
    {"named-to-generic", "generic-to-named"},
    {"generic-to-named", "named-to-generic"}};

bool formwork::testing::morphAndBack(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOfMatch(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  StringRef kind = guessKind(spot->handle);
  // One of the two is left out now and then.
  bool stops = random.chance(0.15);
  Value found;
  if (random.chance(0.6)) {
    const RoundTrip &trip = onOps[random.below(std::size(onOps))];
    std::string step = "%x = transform.structured.";
    Operation *there = insertSteps(place, spot->handle,
                                   step + trip.there.str() + " %h : (@) -> @");
    if (!there)
      return false;
    Operation *back =
        stops ? there
              : insertSteps(place, there->getResult(0),
                            step + trip.back.str() + " %h : (@) -> @");
    if (!back)
      return false;
    found = back->getResult(0);
    // Its name is as it was, or so one thinks.
    if (random.chance(0.3)) {
      Operation *cast = insertSteps(
          place, found,
          ("%k = transform.cast %h : @ to !transform.op<\"" + kind +
           "\">\n%y = transform.cast %k : !transform.op<\"" + kind + "\"> to @")
              .str());
      if (!cast)
        return false;
      found = cast->getResult(0);
    }
  } else {
    const RoundTrip &trip = onFunctions[random.below(std::size(onFunctions))];
    std::string text =
        "%f = transform.get_parent_op %h {isolated_from_above, deduplicate} : "
        "(@) -> @\n";
    std::string functions = "%f";
    StringRef options[] = {trip.there, trip.back};
    for (auto [number, option] : llvm::enumerate(options)) {
      if (number != 0 && stops)
        break;
      std::string result = "%p" + std::to_string(number);
      text += result +
              " = transform.apply_registered_pass \"linalg-morph-ops\" with "
              "options = {\"" +
              option.str() + "\" = true} to " + functions + " : (@) -> @\n";
      functions = result;
    }
    StringRef again =
        pickText(random, {kind, kind, "linalg.generic", "linalg.contract"});
    text += "%m = transform.structured.match ops{[\"" + again.str() +
            "\"]} in " + functions + " : (@) -> @";
    Operation *match = insertSteps(place, spot->handle, text);
    if (!match)
      return false;
    found = match->getResult(0);
  }
  if (random.chance(0.35) && !insertOneOf(place, found, random, opSteps))
    return false;
  return goOnWith(found.getDefiningOp(), spot->handle, 0.85, random);
}
