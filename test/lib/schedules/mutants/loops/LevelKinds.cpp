//===- LevelKinds.cpp - Breakage of levels --------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/loops/LevelKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// A handle to what most likely initializes what `consumer` holds.
static Value insertInitializer(Operation *place, Value consumer,
                               Random &random) {
  if (guessKind(consumer) != "linalg.generic" || random.chance(0.4))
    return insertProducers(place, consumer, random);
  Operation *made = insertProducer(place, consumer, 2);
  return made ? Value(made->getResult(0)) : Value();
}

bool formwork::testing::downTheLevels(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOfMatch(entry, random, isContractionKind);
  if (!spot)
    return false;
  Operation *place = spot->place;
  // The outer nest may take along what it needs; that is to be found in it.
  bool together = random.chance(0.7), fusesFirst = random.chance(0.6);
  Value producer =
      together ? Value() : insertInitializer(place, spot->handle, random);
  if (!together && !producer)
    return false;
  StringRef sorts[] = {"tile_using_forall", "tile_using_for"};
  Operation *outer = insertLoops(
      place, spot->handle,
      together && random.chance(0.12) ? "fuse" : sorts[random.below(2)],
      pickText(random, {"16", "8", "0, 8"}));
  if (!outer)
    return false;
  Operation *last = outer;
  // Some go on with the producer as it was before the fusion.
  auto fuse = [&](Value loop) {
    last = insertFusion(place, producer, loop);
    if (last && random.chance(0.9))
      producer = last->getResult(0);
    return last;
  };
  if (!together && fusesFirst && !fuse(outer->getResult(1)))
    return false;
  if (random.chance(0.2) && !insertCleanUp(place, outer->getResult(0), random))
    return false;
  bool isEarly = random.chance(0.5);
  auto lookUp = [&] {
    producer = insertMatch(
        place, outer->getResult(1),
        pickText(random, {"ops{[\"linalg.fill\"]}", "ops{[\"linalg.fill\"]}",
                          "interface{LinalgOp}"}));
    return producer;
  };
  if (together && isEarly && !lookUp())
    return false;
  Operation *inner =
      insertLoops(place, outer->getResult(0), sorts[random.below(2)],
                  pickText(random, {"4", "2", "0, 4"}));
  if (!inner || (together && !isEarly && !lookUp()))
    return false;
  Value nests[] = {outer->getResult(1), inner->getResult(1)};
  // From the outside in, or straight to the inside, or the reverse.
  if (together || fusesFirst || random.chance(0.2)) {
    if (!fuse(nests[1]))
      return false;
  } else {
    bool reversed = random.chance(0.25);
    if (!fuse(nests[reversed]) || !fuse(nests[!reversed]))
      return false;
  }
  Value fused = last->getResult(0);
  if (random.chance(0.4) && !insertOneOf(place, fused, random, opSteps))
    return false;
  if (random.chance(0.4) &&
      !insertOneOf(place, nests[random.below(2)], random, loopSteps))
    return false;
  return goOnWith(inner, spot->handle, 0.85, random);
}

bool formwork::testing::traceSteps(NamedSequenceOp entry, Random &random) {
  double share = random.chance(0.5) ? 0.5 : 0.15;
  bool any = false;
  for (Operation *step : getSteps(entry)) {
    if (step->hasTrait<OpTrait::IsTerminator>() || !random.chance(share))
      continue;
    // Mostly what it made; what it read may be gone.
    Values made(step->getResults()), read(step->getOperands());
    llvm::erase_if(made, [](Value value) { return !isOpHandle(value); });
    llvm::erase_if(read, [&](Value value) {
      return !isOpHandle(value) ||
             (consumes(step, value) && !random.chance(0.1));
    });
    ArrayRef<Value> seen = made.empty() || random.chance(0.2) ? read : made;
    if (seen.empty())
      continue;
    Value handle = random.oneOf(seen);
    std::string type = getTypeText(handle);
    StringRef trace = pickText(
        random,
        {"transform.debug.emit_remark_at %h, \"step\" : @",
         "%n = transform.num_associations %h : (@) -> $\n"
         "transform.debug.emit_param_as_remark %n, \"of\" at %h : $, @",
         "%n = transform.num_associations %h : (@) -> $\n"
         "transform.debug.emit_param_as_remark %n : $",
         "%p = transform.get_parent_op %h {deduplicate} : (@) -> &\n"
         "transform.print %p {name = \"mutant\", skip_regions} : &",
         "%p = transform.get_parent_op %h {isolated_from_above, deduplicate} "
         ": (@) -> &\ntransform.verify %p : &",
         "%m = transform.structured.match interface{LinalgOp} in %h : (@) -> "
         "&\n%n = transform.num_associations %m : (&) -> $\n"
         "transform.annotate %h \"mutant.number\" = %n : @, $",
         "transform.annotate %h \"mutant.step\" : @"});
    any |= insertText(step->getNextNode(), handle,
                      withTypes(fillIn(trace, '@', type))) != nullptr;
  }
  return any;
}

bool formwork::testing::nestedTurns(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOfMatch(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  StringRef kind = guessKind(spot->handle);
  Value functions = insertFunctions(place, spot->handle);
  if (!functions || !isa<transform::AnyOpType>(functions.getType()) ||
      kind.empty())
    return false;
  // In the inner loop, most work on its own entry.
  StringRef entryName = pickText(
      random, {"%x", "%x", "%x", "%x", "%x", "%x", "%x", "%x", "%x", "%m"});
  std::string step =
      pickText(random,
               {"%t, %l = transform.structured.tile_using_for # tile_sizes "
                "[4] : (&) -> (&, &)\n",
                "%t, %l = transform.structured.tile_using_for # tile_sizes "
                "[4] : (&) -> (&, &)\n",
                "%t, %l = transform.structured.tile_using_forall # tile_sizes "
                "[8] : (&) -> (&, &)\n",
                "%t = transform.structured.generalize # : (&) -> &\n"
                "%l = transform.get_parent_op # : (&) -> &\n"})
          .str();
  if (random.chance(0.35))
    step += "transform.foreach %l : & {\n^bb0(%y: &):\n" +
            pickText(random, {"transform.apply_licm to %y : &",
                              "transform.loop.unroll %y {factor = 2} : &",
                              "transform.annotate %y \"mutant.turn\" : &",
                              "transform.loop.promote_if_one_iteration %y : &"})
                .str() +
            "\n}\n";
  StringRef found = pickText(random, {"interface{LinalgOp}", "", ""});
  StringRef behind =
      pickText(random, {"", "", "", "", "transform.apply_cse to %g : &\n",
                        "transform.apply_patterns to %g {\n"
                        "transform.apply_patterns.canonicalization\n} : &\n",
                        "transform.annotate %m \"mutant.found\" : &\n",
                        "transform.annotate %r \"mutant.made\" : &\n"});
  std::string match =
      found.empty() ? ("ops{[\"" + kind + "\"]}").str() : found.str();
  StringRef out =
      pickText(random, {"%r", "%r", "%r", "%r", "%r", "%r", "%r", "%m"});
  Operation *loop = insertText(
      place, functions,
      withTypes("%o = transform.foreach %h : & -> & {\n^bb0(%g: &):\n"
                "%m = transform.structured.match " +
                match +
                " in %g : (&) -> &\n"
                "%r = transform.foreach %m : & -> & {\n^bb0(%x: &):\n" +
                fillIn(step, '#', entryName) + "transform.yield %t : &\n}\n" +
                behind.str() + "transform.yield " + out.str() + " : &\n}"));
  if (!loop)
    return false;
  if (random.chance(0.5) &&
      !insertOneOf(place, loop->getResult(0), random, opSteps))
    return false;
  return goOnWith(loop, spot->handle, 0.92, random);
}
