//===- GroupKinds.cpp - Breakage of several ops at once -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/steps/GroupKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::stageCopies(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  bool forall = random.chance(0.4);
  StringRef sizes = pickText(random, {"4", "8", "0, 0, 4", "4096"});
  Operation *tile =
      insertLoops(place, spot->handle,
                  forall ? "tile_using_forall" : "tile_using_for", sizes);
  if (!tile)
    return false;
  StringRef flags = pickText(random, {"1, 1, 0", "1, 1, 0", "1, 0", "1, 1, 1"});
  Operation *pad = insertSteps(
      place, tile->getResult(0),
      "%p, %q, %c = transform.structured.pad %h {padding_values = [0.0 : f32, "
      "0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = "
      "[" +
          flags.str() + "], copy_back_op = \"none\"} : (@) -> (@, @, @)");
  if (!pad)
    return false;
  Operation *copies = insertSteps(
      place, pad->getResult(1),
      "%c = transform.structured.rewrite_in_destination_passing_style %h : (@) "
      "-> @");
  if (!copies)
    return false;
  StringRef next = pickText(
      random,
      {"%x, %y = transform.split_handle %h : (@) -> (@, @)\n"
       "%t, %l = transform.structured.tile_using_forall %x tile_sizes [1, 4] : "
       "(@) -> (@, @)",
       "%t, %l = transform.structured.tile_using_forall %h tile_sizes [2] : "
       "(@) -> (@, @)",
       "%f, %t = transform.structured.gpu.map_copy_to_threads %h "
       "total_num_threads = 32 desired_bit_alignment = 128 : (@) -> (@, @)",
       "%b, %n = transform.structured.bufferize_to_allocation %h {memory_space "
       "= 3, bufferize_destination_only} : @",
       "transform.structured.vectorize %h : @",
       "%t, %l = transform.structured.tile_using_for %h tile_sizes [1] : (@) "
       "-> (@, @)\ntransform.loop.unroll %l {factor = 2} : @"});
  if (!insertSteps(place, copies->getResult(0), next))
    return false;
  if (random.chance(0.3)) {
    Value pads = pad->getResult(1);
    insertUse(place, random.chance(0.5) ? pads : copies->getResult(0));
  }
  return goOnWith(pad, spot->handle, 0.85, random);
}

bool formwork::testing::fuseTiledSiblings(NamedSequenceOp entry,
                                          Random &random) {
  std::optional<Spot> spot =
      pickRecipeSpot(entry, random, isStructuredKind, /*atStart=*/0.3);
  if (!spot)
    return false;
  Operation *place = spot->place;
  StringRef kind = guessKind(spot->handle);
  Value op = spot->handle, other;
  if (random.chance(0.4)) {
    // Two halves of one op.
    StringRef at = pickText(random, {"8", "16", "64", "128"});
    Operation *parts =
        insertSteps(place, op,
                    "%s = transform.structured.split %h after " + at.str() +
                        " {dimension = 0} : @\n"
                        "%a, %b = transform.split_handle %s : (@) -> (@, @)");
    if (!parts)
      return false;
    op = parts->getResult(1);
    other = parts->getResult(0);
  } else if (random.chance(0.5)) {
    other = insertProducers(place, op, random);
  } else {
    other = pickVisible(place, random, [&](StringRef fits) {
      return isStructuredKind(fits) && fits != kind;
    });
  }
  if (!other || !isa<transform::AnyOpType>(other.getType()))
    return false;
  StringRef name = pickText(
      random, {"tile_using_forall", "tile_using_forall", "tile_using_for"});
  StringRef sizes = pickText(random, {"4", "8", "2"});
  Operation *one = insertLoops(place, op, name, sizes);
  Operation *two =
      one ? insertLoops(place, other, name, random.chance(0.85) ? sizes : "16")
          : nullptr;
  if (!two)
    return false;
  // Mostly what comes first in the payload, into what comes behind it.
  Value first = two->getResult(1), second = one->getResult(1);
  if (random.chance(0.25))
    std::swap(first, second);
  Operation *fuse =
      insertSteps(place, {first, second},
                  "%f = transform.loop.fuse_sibling %h into %h1 : (@, @) -> @");
  if (!fuse)
    return false;
  Value next = random.chance(0.6)   ? Value(fuse->getResult(0))
               : random.chance(0.3) ? second
                                    : Value();
  Value tiled = random.chance(0.5) ? one->getResult(0) : two->getResult(0);
  if (next ? !insertOneOf(place, next, random, loopSteps)
           : !insertOneOf(place, tiled, random, opSteps))
    return false;
  return goOnWith(one, spot->handle, 0.8, random);
}

bool formwork::testing::allInLoop(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  bool fuses = random.chance(0.55);
  Value producer =
      fuses ? insertProducers(place, spot->handle, random) : Value();
  StringRef sizes = pickText(random, {"4, 4", "8, 8", "8"});
  Operation *tile =
      insertLoops(place, spot->handle, "tile_using_forall", sizes);
  if (!tile || (fuses && !producer))
    return false;
  Value loop = tile->getResult(1);
  if (fuses) {
    Operation *fuse = insertFusion(place, producer, loop);
    if (!fuse)
      return false;
    // Some go on with the loop that was.
    if (random.chance(0.9))
      loop = fuse->getResult(1);
  }
  Value all = insertMatch(
      place, loop,
      pickText(
          random,
          {"interface{LinalgOp}", "interface{LinalgOp}",
           "interface{TilingInterface}",
           "ops{[\"linalg.fill\", \"linalg.matmul\", \"linalg.generic\"]}"}));
  if (!all)
    return false;
  StringRef step = pickText(
      random,
      {"%x, %l = transform.structured.tile_using_for %h tile_sizes [2] : (@) "
       "-> (@, @)",
       "%x = transform.structured.generalize %h : (@) -> @",
       "%x = transform.structured.rewrite_in_destination_passing_style %h : "
       "(@) -> @",
       "transform.structured.vectorize %h : @",
       "transform.annotate %h \"mutant.all\" : @",
       "%a, %b = transform.split_handle %h : (@) -> (@, @)\n"
       "%x, %l = transform.structured.tile_using_for %b tile_sizes [0, 2] : "
       "(@) -> (@, @)"});
  Operation *work = insertSteps(place, all, step);
  if (!work)
    return false;
  // A handle to the op from before is a handle to one of these.
  if (random.chance(0.3) &&
      !insertOneOf(place, tile->getResult(0), random, opSteps))
    return false;
  if (work->getNumResults() != 0 && random.chance(0.5))
    return goOnWith(work, spot->handle, 0.9, random);
  return goOnWith(tile, spot->handle, 0.75, random);
}

/// Another operand for a fusion; null where there is none in this manner.
static Value pickFused(transform::FuseIntoContainingOp fuse, Random &random,
                       unsigned manner) {
  Value producer = fuse.getProducerOp();
  StringRef kind = guessKind(producer);
  if (manner == 0) {
    // All of the kind.
    Value functions = insertFunctions(fuse, fuse.getContainingOp());
    return functions && !kind.empty()
               ? insertMatch(fuse, functions, ("ops{[\"" + kind + "\"]}").str())
               : Value();
  }
  Value other = pickVisible(fuse, random, isStructuredKind);
  if (manner == 1 || !other || other == producer ||
      other.getType() != producer.getType())
    return other;
  // Both in one step.
  StringRef flag = pickText(random, {"", "deduplicate "});
  Operation *merge = insertText(fuse, {other, producer},
                                "%m = transform.merge_handles " + flag +
                                    "%h, %h1 : " + getTypeText(producer));
  return merge ? Value(merge->getResult(0)) : Value();
}

bool formwork::testing::retargetFusion(NamedSequenceOp entry, Random &random) {
  using transform::FuseIntoContainingOp;
  auto fuse = pickStep<FuseIntoContainingOp>(entry, random);
  if (!fuse) {
    std::optional<Spot> spot = pickRecipeSpot(entry, random);
    Value producer =
        spot ? insertProducers(spot->place, spot->handle, random) : Value();
    Operation *tile = producer ? insertLoops(spot->place, spot->handle,
                                             "tile_using_forall", "4, 4")
                               : nullptr;
    fuse = dyn_cast_if_present<FuseIntoContainingOp>(
        tile ? insertFusion(spot->place, producer, tile->getResult(1))
             : nullptr);
    if (!fuse)
      return false;
    rebindToResult(tile, spot->handle);
  }
  auto set = [&](unsigned operand, Value value) {
    Value old = fuse->getOperand(operand);
    if (!value || value == old || value.getType() != old.getType())
      return false;
    fuse->setOperand(operand, value);
    return true;
  };
  if (random.chance(0.4))
    for (unsigned i = 0; i < 4; ++i)
      if (set(1, pickVisible(fuse, random, isLoopKind)))
        return true;
  unsigned manner = random.below(3);
  return set(0, pickFused(fuse, random, manner));
}
