//===- RecipeKinds.cpp - Breakage of well-known recipes -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/steps/RecipeKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Steps on loops that leave them as they are.
static constexpr StringRef loopReads[] = {
    "transform.apply_licm to %h : @",
    "transform.annotate %h \"mutant.loop\" : @",
    "%n = transform.get_parent_op %h {isolated_from_above} : (@) -> @"};

/// Whether an op of this name most likely reads what another one made.
static bool isConsumerKind(StringRef kind) {
  return isStructuredKind(kind) && kind != "linalg.fill";
}

bool formwork::testing::twoWaysToLoop(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  bool two = random.chance(0.4);
  Operation *tile = insertLoops(spot->place, spot->handle, "tile_using_for",
                                two ? "4, 4" : "4", two ? 2 : 1);
  if (!tile)
    return false;
  Operation *parent =
      insertText(spot->place, tile->getResult(0),
                 "%p = transform.get_parent_op %h {op_name = \"scf.for\"" +
                     pickText(random, {"", "", ", nth_parent = 2"}) + "} : (" +
                     anyOp + ") -> " + anyOp);
  if (!parent)
    return false;
  Value first = tile->getResult(two ? random.between(1, 2) : 1);
  Value second = parent->getResult(0);
  if (random.chance(0.5))
    std::swap(first, second);
  if (!(random.chance(0.4)
            ? insertOneOf(spot->place, first, random, loopReads)
            : insertOneOf(spot->place, first, random, loopSteps)) ||
      !insertOneOf(spot->place, random.chance(0.8) ? second : first, random,
                   loopSteps))
    return false;
  return goOnWith(tile, spot->handle, 0.8, random);
}

namespace {
/// Two steps, of which the second may need the first. `$` is what they read;
/// the first makes `%e`, unless it changes that in place.
struct Enabling {
  StringRef enabler, user;
};
} // namespace

bool formwork::testing::enablerBehind(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  StringRef kind = guessKind(spot->handle);
  std::string interchange =
      ("%u = transform.structured.interchange $ iterator_interchange = [" +
       StringRef(kind == "linalg.matmul"         ? "1, 0, 2"
                 : kind == "linalg.batch_matmul" ? "0, 2, 1, 3"
                                                 : "1, 0") +
       "] : (@) -> @")
          .str();
  StringRef generalize = "%e = transform.structured.generalize $ : (@) -> @";
  SmallVector<Enabling> pairs = {
      {generalize, interchange},
      {generalize, "%u = transform.structured.specialize $ : (@) -> @"},
      {generalize, "%u, %v, %w, %z = transform.structured.split_reduction $ "
                   "{split_factor = 2, insert_split_dimension = 0} : (@) -> "
                   "(@, @, @, @)"},
      {"%e, %k, %l = transform.structured.tile_using_for $ tile_sizes [4, 4] "
       ": (@) -> (@, @, @)",
       "transform.structured.vectorize $ : @"},
      {"%f = transform.get_parent_op $ {isolated_from_above, deduplicate} : "
       "(@) -> @\ntransform.apply_patterns to %f {\n"
       "transform.apply_patterns.canonicalization\n} : @",
       "transform.structured.vectorize $ : @"}};
  if (kind == "linalg.matmul" || kind == "linalg.batch_matmul")
    pairs.push_back({"%e = transform.structured.transpose_matmul $ : (@) -> @",
                     "%u = transform.structured.generalize $ : (@) -> @"});
  auto [enabler, user] = random.oneOf(ArrayRef<Enabling>(pairs));
  StringRef made = enabler.starts_with("%e") ? "%e" : "%h";
  StringRef used = user.starts_with("%u") ? "%u" : "%h";
  std::string text;
  unsigned order = random.below(5);
  if (order <= 2)
    text = fillIn(enabler, '$', "%h") + "\n" + fillIn(user, '$', made);
  else if (order == 3)
    text = fillIn(enabler, '$', "%h") + "\n" + fillIn(user, '$', "%h");
  else
    text = fillIn(user, '$', "%h") + "\n" + fillIn(enabler, '$', used);
  Operation *last =
      insertText(spot->place, spot->handle, fillIn(text, '@', anyOp));
  if (last && last->getNumResults() != 0)
    goOnWith(last, spot->handle, 0.8, random);
  return last;
}

bool formwork::testing::unevenTile(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *tile =
      insertLoops(spot->place, spot->handle, "tile_using_for",
                  pickText(random, {"3", "5", "6", "7", "12", "0, 5", "0, 3"}));
  if (!tile)
    return false;
  Operation *place = spot->place;
  Value tiled = tile->getResult(0), loop = tile->getResult(1);
  std::string any = anyOp.str();
  switch (random.below(5)) {
  case 0:
    break;
  case 1:
    // The main part is whole then.
    if (!insertText(place, loop,
                    fillIn("%s = transform.cast %h : @ to "
                           "!transform.op<\"scf.for\">\n%p, %r = "
                           "transform.loop.peel %s : "
                           "(!transform.op<\"scf.for\">) -> (@, @)",
                           '@', any)))
      return false;
    break;
  case 2:
    if (!insertCleanUp(place, tiled, random))
      return false;
    break;
  case 3: {
    Operation *pad = insertText(
        place, tiled,
        "%p, %q, %r = transform.structured.pad %h {padding_values = [0.0 : "
        "f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], "
        "copy_back_op = \"none\"} : (" +
            any + ") -> (" + any + ", " + any + ", " + any + ")");
    if (!pad)
      return false;
    if (random.chance(0.7))
      tiled = pad->getResult(0);
    break;
  }
  default:
    if (!insertText(place, loop,
                    "transform.loop.unroll %h {factor = 4} : " + any))
      return false;
  }
  Operation *last =
      random.chance(0.4)
          ? insertText(place, tiled,
                       "transform.structured.vectorize %h " +
                           pickText(random, {"", "", "vector_sizes [8, 8] ",
                                             "vector_sizes [8, 8, 8] "}) +
                           ": " + any)
          : insertOneOf(place, tiled, random, opSteps);
  return last && goOnWith(tile, spot->handle, 0.3, random);
}

bool formwork::testing::tileTogether(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Value other = pickVisible(spot->place, random, isStructuredKind);
  if (!other || other == spot->handle ||
      other.getType() != spot->handle.getType()) {
    Operation *producer = insertProducer(spot->place, spot->handle,
                                         guessProduced(spot->handle, random));
    if (!producer)
      return false;
    other = producer->getResult(0);
  }
  StringRef how = pickText(random, {"tile_using_for %m tile_sizes [2]",
                                    "tile_using_for %m tile_sizes [0, 2]",
                                    "tile_using_forall %m tile_sizes [4, 4]"});
  StringRef split =
      pickText(random, {"", "", "{fail_on_payload_too_small = false}",
                        "{overflow_result = 0}"});
  Operation *made = insertText(
      spot->place, {spot->handle, other},
      fillIn("%m = transform.merge_handles " +
                 pickText(random, {"", "deduplicate "}).str() +
                 "%h, %h1 : @\n%t, %l = transform.structured." + how.str() +
                 " : (@) -> (@, @)\n%a, %b = transform.split_handle %t " +
                 split.str() + " : (@) -> (@, @)",
             '@', anyOp));
  if (!made)
    return false;
  // Each for its own; or one of them is still named as before.
  bool swaps = random.chance(0.15);
  rebindToResult(made, spot->handle, swaps ? 1 : 0);
  if (random.chance(0.85))
    rebindToResult(made, other, swaps ? 0 : 1);
  if (random.chance(0.3))
    insertOneOf(spot->place, made->getResult(random.below(2)), random, opSteps);
  return true;
}

bool formwork::testing::nestedForalls(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  Operation *outer =
      insertLoops(place, spot->handle, "tile_using_forall",
                  pickText(random, {"8", "8", "8", "0, 8", "8, 8"}));
  Operation *inner =
      outer ? insertLoops(place, outer->getResult(0), "tile_using_forall",
                          pickText(random, {"2", "2", "2", "4", "2, 2"}))
            : nullptr;
  if (!inner)
    return false;
  Values loops = {outer->getResult(1), inner->getResult(1)};
  // The outer one takes the inner one with it.
  if (random.chance(0.7))
    std::swap(loops[0], loops[1]);
  static constexpr StringRef steps[] = {
      "%x = transform.loop.forall_to_for %h : (@) -> @",
      "%x = transform.get_parent_op %h {op_name = \"scf.forall\"} : (@) -> @",
      "%x = transform.structured.match ops{[\"scf.forall\"]} in %h : (@) -> @",
      "%x = transform.structured.match interface{LinalgOp} in %h : (@) -> @",
      "transform.apply_licm to %h : @",
      "transform.annotate %h \"mutant.forall\" : @"};
  for (Value loop : loops) {
    Operation *made = insertOneOf(place, loop, random, steps);
    if (!made)
      return false;
    // Ops around it or inside may be of another sort, or not be there.
    if (made->getNumResults() != 0 && random.chance(0.6))
      insertOneOf(place, random.chance(0.8) ? made->getResult(0) : loop, random,
                  random.chance(0.5) ? ArrayRef(opSteps) : ArrayRef(steps));
  }
  return goOnWith(random.chance(0.8) ? inner : outer, spot->handle, 0.8,
                  random);
}

bool formwork::testing::countAfter(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  std::string any = anyOp.str();
  StringRef kind = guessKind(spot->handle);
  bool marks = random.chance(0.3);
  Operation *tile = insertLoops(place, spot->handle, "tile_using_for",
                                pickText(random, {"4", "8", "5", "0, 4"}));
  if (!tile ||
      (marks && !insertText(place, tile->getResult(0),
                            "transform.annotate %h \"mutant.tile\" : " + any)))
    return false;
  Operation *function = insertText(
      place, tile->getResult(0),
      "%f = transform.get_parent_op %h {isolated_from_above, deduplicate} : "
      "(" +
          any + ") -> " + any);
  StringRef copying =
      pickText(random, {"transform.loop.unroll %h {factor = 2} : @",
                        "transform.loop.unroll %h {factor = 3} : @",
                        "%s = transform.cast %h : @ to "
                        "!transform.op<\"scf.for\">\n%p, %r = "
                        "transform.loop.peel %s : "
                        "(!transform.op<\"scf.for\">) -> (@, @)",
                        "transform.apply_licm to %h : @"});
  if (!function ||
      !insertText(place, tile->getResult(1), fillIn(copying, '@', any)))
    return false;
  unsigned number = random.between(1, 4);
  std::string types = any;
  for (unsigned i = 1; i < number; ++i)
    types += ", " + any;
  StringRef manner = pickText(random, {"", "", "{overflow_result = 0}",
                                       "{fail_on_payload_too_small = false}",
                                       "{fail_on_payload_too_small = false, "
                                       "overflow_result = 0}"});
  std::string what =
      marks ? "attributes{mutant.tile}" : "ops{[\"" + kind.str() + "\"]}";
  Operation *split = insertText(
      place, function->getResult(0),
      "%m = transform.structured.match " + what + " in %h : (" + any + ") -> " +
          any + "\n%s:" + Twine(number) + " = transform.split_handle %m " +
          manner + " : (" + any + ") -> (" + types + ")");
  if (!split)
    return false;
  Value last = split->getResult(number - 1);
  insertOneOf(place, last, random, opSteps);
  return goOnWith(split, spot->handle, 0.5, random);
}

bool formwork::testing::loopsAfterCleaning(NamedSequenceOp entry,
                                           Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  // A loop over a tile that is the whole dimension runs once.
  Operation *tile =
      insertLoops(place, spot->handle, "tile_using_for",
                  pickText(random, {"4, 8", "2, 64", "64, 4", "4, 4096", "1, 2",
                                    "4096, 4096"}),
                  2);
  if (!tile || !insertCleanUp(place, tile->getResult(0), random))
    return false;
  bool rematches = random.chance(0.45);
  for (unsigned i = 0, e = random.between(1, 2); i < e; ++i) {
    Value loop = tile->getResult(random.between(1, 2));
    if (rematches) {
      Operation *parent = insertText(
          place, tile->getResult(0),
          "%p = transform.get_parent_op %h {op_name = \"scf.for\"} : (" +
              anyOp + ") -> " + anyOp);
      if (!parent)
        return false;
      loop = parent->getResult(0);
    }
    if (!insertOneOf(place, loop, random, loopSteps))
      return false;
  }
  return goOnWith(tile, spot->handle, 0.85, random);
}

bool formwork::testing::fuseIntoTwo(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random, isConsumerKind);
  if (!spot)
    return false;
  Operation *place = spot->place;
  Value producer = insertProducers(place, spot->handle, random);
  Operation *first = insertLoops(place, spot->handle, "tile_using_forall",
                                 pickText(random, {"8", "4", "8, 8"}));
  if (!producer || !first)
    return false;
  // Another consumer; or the tile, once more.
  Value other = pickVisible(place, random, isStructuredKind);
  if (!other || other == spot->handle || random.chance(0.6))
    other = first->getResult(0);
  Operation *second = insertLoops(place, other, "tile_using_forall",
                                  pickText(random, {"2", "2, 2", "0, 2"}));
  if (!second)
    return false;
  Values loops = {first->getResult(1), second->getResult(1)};
  // From the inside to the outside there is nothing left for the second.
  if (random.chance(0.1))
    std::swap(loops[0], loops[1]);
  Operation *fuse = insertFusion(place, producer, loops[0]);
  if (!fuse)
    return false;
  Value fused = random.chance(0.85) ? Value(fuse->getResult(0)) : producer;
  Operation *again = insertFusion(place, fused, loops[1]);
  if (!again)
    return false;
  if (random.chance(0.5))
    insertOneOf(place, (random.chance(0.8) ? again : fuse)->getResult(0),
                random, opSteps);
  return goOnWith(random.chance(0.8) ? second : first, spot->handle, 0.8,
                  random);
}

bool formwork::testing::fuseThenProducer(NamedSequenceOp entry,
                                         Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random, isConsumerKind);
  if (!spot)
    return false;
  Operation *place = spot->place;
  Value producer = insertProducers(place, spot->handle, random);
  if (random.chance(0.3))
    producer = pickVisible(place, random, isStructuredKind);
  if (!producer)
    return false;
  SmallVector<Type> types(2, transform::AnyOpType::get(entry.getContext()));
  Operation *fuse = insertTiling(
      place, spot->handle, "fuse", pickText(random, {"4", "2", "0, 4"}), types,
      pickText(random, {"", "", "{apply_cleanup}", "{use_forall}"}));
  if (!fuse)
    return false;
  // Those who know find it in the loops.
  if (random.chance(0.4)) {
    StringRef kind = guessKind(producer);
    Operation *match =
        insertText(place, fuse->getResult(1),
                   "%m = transform.structured.match ops{[\"" +
                       (kind.empty() ? "linalg.fill" : kind) +
                       "\"]} in %h : (" + anyOp + ") -> " + anyOp);
    if (!match)
      return false;
    producer = match->getResult(0);
  }
  if (!insertOneOf(place, producer, random, opSteps))
    return false;
  return goOnWith(fuse, spot->handle, 0.85, random);
}

bool formwork::testing::tileProducer(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random, isConsumerKind);
  if (!spot)
    return false;
  Operation *place = spot->place;
  Value producer = insertProducers(place, spot->handle, random);
  bool forall = random.chance(0.6);
  Operation *tile =
      producer ? insertLoops(place, producer,
                             forall ? "tile_using_forall" : "tile_using_for",
                             pickText(random, {"4", "2", "0, 4"}))
               : nullptr;
  if (!tile)
    return false;
  Value consumer = spot->handle;
  if (random.chance(0.3)) {
    Operation *consumers =
        insertText(place, tile->getResult(random.chance(0.25) ? 0 : 1),
                   "%c = transform.get_consumers_of_result %h[0] : (" + anyOp +
                       ") -> " + anyOp);
    if (!consumers)
      return false;
    consumer = consumers->getResult(0);
  }
  if (random.chance(0.2))
    return insertFusion(place, consumer, tile->getResult(1));
  Operation *made = insertLoops(place, consumer, "tile_using_forall",
                                pickText(random, {"4", "2", "0, 4"}));
  if (!made)
    return false;
  // The tile of the producer, or its loop, is no producer of that one.
  if (random.chance(0.2) &&
      !insertFusion(place, tile->getResult(random.between(0, 1)),
                    made->getResult(1)))
    return false;
  return goOnWith(made, spot->handle, 0.8, random);
}

bool formwork::testing::fuseLate(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random, isConsumerKind);
  if (!spot)
    return false;
  Operation *place = spot->place;
  Value producer = insertProducers(place, spot->handle, random);
  Operation *tile =
      insertLoops(place, spot->handle, "tile_using_forall",
                  pickText(random, {"4", "2", "8, 8", "4096", "1"}));
  if (!producer || !tile)
    return false;
  Value loop = tile->getResult(1);
  if (!insertCleanUp(place, random.chance(0.5) ? producer : loop, random))
    return false;
  bool fuses = random.chance(0.6);
  if (fuses) {
    Operation *fuse = insertFusion(place, producer, loop);
    if (!fuse)
      return false;
    producer = fuse->getResult(0);
    loop = random.chance(0.8) ? fuse->getResult(1) : loop;
  }
  // An op that went into the loop is looked for there, whether it did or not.
  if (random.chance(0.5)) {
    Operation *match =
        insertText(place, loop,
                   "%m = transform.structured.match ops{[\"" +
                       pickText(random, {"linalg.fill", "linalg.generic"}) +
                       "\"]} in %h : (" + anyOp + ") -> " + anyOp);
    if (!match)
      return false;
    producer = match->getResult(0);
  }
  if (random.chance(0.7) && !insertOneOf(place, producer, random, opSteps))
    return false;
  return goOnWith(tile, spot->handle, 0.85, random);
}

bool formwork::testing::fuseMerged(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random, isConsumerKind);
  if (!spot)
    return false;
  Operation *place = spot->place;
  Value producers;
  if (random.chance(0.5)) {
    Value functions = insertFunctions(place, spot->handle);
    StringRef kinds = pickText(random, {"\"linalg.fill\"", "\"linalg.fill\"",
                                        "\"linalg.fill\", \"tensor.empty\"",
                                        "\"linalg.fill\", \"linalg.generic\"",
                                        "\"tensor.empty\""});
    Operation *match =
        functions ? insertText(place, functions,
                               "%m = transform.structured.match ops{[" + kinds +
                                   "]} in %h : (" + getTypeText(functions) +
                                   ") -> " + anyOp)
                  : nullptr;
    producers = match ? match->getResult(0) : Value();
  } else {
    unsigned operand = guessProduced(spot->handle, random);
    Operation *one = insertProducer(place, spot->handle, operand);
    Operation *two = one ? insertProducer(place,
                                          random.chance(0.5) ? one->getResult(0)
                                                             : spot->handle,
                                          random.below(2))
                         : nullptr;
    Operation *merge =
        two ? insertText(
                  place, {one->getResult(0), two->getResult(0)},
                  "%m = transform.merge_handles " +
                      pickText(random, {"", "deduplicate "}) +
                      (random.chance(0.5) ? "%h, %h1 : " : "%h1, %h : ") +
                      anyOp)
            : nullptr;
    producers = merge ? merge->getResult(0) : Value();
  }
  Operation *tile = producers
                        ? insertLoops(place, spot->handle, "tile_using_forall",
                                      pickText(random, {"4", "8, 8", "0, 4"}))
                        : nullptr;
  Operation *fuse =
      tile ? insertFusion(place, producers, tile->getResult(1)) : nullptr;
  if (!fuse)
    return false;
  if (random.chance(0.5))
    insertOneOf(place, random.chance(0.85) ? fuse->getResult(0) : producers,
                random, opSteps);
  if (random.chance(0.3))
    insertUse(place,
              random.chance(0.5) ? fuse->getResult(1) : tile->getResult(1));
  return goOnWith(tile, spot->handle, 0.85, random);
}

bool formwork::testing::acrossTheLoop(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  bool forall = random.chance(0.5);
  Operation *tile = insertLoops(place, spot->handle,
                                forall ? "tile_using_forall" : "tile_using_for",
                                pickText(random, {"4", "2", "0, 4"}));
  if (!tile)
    return false;
  // The tile has slices as operands; the loop has the operands of the op.
  Value from = tile->getResult(random.chance(0.4) ? 0 : 1);
  StringRef number = pickText(random, {"0", "0", "1", "2"});
  std::string look = random.chance(0.5)
                         ? "get_consumers_of_result %h[0]"
                         : ("get_producer_of_operand %h[" + number + "]").str();
  Operation *found = insertText(
      place, from, "%n = transform." + look + " : (" + anyOp + ") -> " + anyOp);
  if (!found)
    return false;
  Value neighbour = found->getResult(0);
  // Mostly they go on with those that are ops like the one that was tiled.
  if (random.chance(0.5)) {
    Operation *select =
        insertText(place, neighbour,
                   "%s = transform.select \"" +
                       pickText(random, {"linalg.generic", "linalg.fill",
                                         "linalg.matmul"}) +
                       "\" in %h : (" + anyOp + ") -> " + anyOp);
    if (!select)
      return false;
    neighbour = select->getResult(0);
  }
  if (forall && random.chance(0.15)) {
    if (!insertFusion(place, neighbour, tile->getResult(1)))
      return false;
  } else if (!insertOneOf(place, neighbour, random, opSteps)) {
    return false;
  }
  if (random.chance(0.3))
    insertUse(place, random.chance(0.5) ? neighbour : from);
  return goOnWith(tile, spot->handle, 0.85, random);
}
