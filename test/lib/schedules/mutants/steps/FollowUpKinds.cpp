//===- FollowUpKinds.cpp - Breakage of what follows a step ----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/steps/FollowUpKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Inserts a split of `handle` into a few, and reads one of them.
static bool insertSplit(Operation *place, Value handle, Random &random) {
  unsigned number = random.between(1, 3);
  std::string types = anyOp.str();
  for (unsigned i = 1; i < number; ++i)
    types += ", " + anyOp.str();
  StringRef manner = pickText(random, {"", "", "{overflow_result = 0} ",
                                       "{fail_on_payload_too_small = false} "});
  Operation *split =
      insertText(place, handle,
                 "%s:" + Twine(number) + " = transform.split_handle %h " +
                     manner + ": (" + anyOp + ") -> (" + types + ")");
  if (!split)
    return false;
  insertUse(place, split->getResult(random.below(number)));
  return true;
}

bool formwork::testing::vectorizeWithProducer(NamedSequenceOp entry,
                                              Random &random) {
  std::optional<Spot> spot =
      pickRecipeSpot(entry, random, isStructuredKind, /*atStart=*/0.25);
  if (!spot)
    return false;
  Operation *place = spot->place;
  Value scope = pickVisible(place, random, isScopeKind);
  Value producer = !scope || random.chance(0.35)
                       ? insertProducers(place, spot->handle, random)
                       : insertMatch(place, scope,
                                     pickText(random, {"ops{[\"linalg.fill\"]}",
                                                       "ops{[\"linalg.fill\"]}",
                                                       "interface{LinalgOp}"}));
  if (!producer)
    return false;
  Value op = spot->handle;
  if (random.chance(0.4)) {
    Operation *tile =
        insertLoops(place, op, "tile_using_forall",
                    pickText(random, {"4, 4", "8, 8", "1, 8", "8", "8"}));
    if (!tile)
      return false;
    op = tile->getResult(0);
    if (random.chance(0.25)) {
      Operation *fuse = insertFusion(place, producer, tile->getResult(1));
      if (!fuse)
        return false;
      producer = fuse->getResult(0);
    }
  }
  StringRef text = pickText(
      random,
      {"transform.structured.vectorize %h : @\n"
       "transform.structured.vectorize %h1 : @",
       "transform.structured.vectorize %h1 : @\n"
       "transform.structured.vectorize %h : @",
       "%m = transform.merge_handles deduplicate %h, %h1 : @\n"
       "transform.structured.vectorize %m : @",
       "%m = transform.merge_handles %h1, %h : @\n"
       "transform.foreach %m : @ {\n^bb0(%x: @):\n"
       "transform.structured.vectorize %x : @\n}",
       "%f = transform.get_parent_op %h {isolated_from_above} : (@) -> @\n"
       "%v = transform.structured.vectorize_children_and_apply_patterns %f : "
       "(@) -> @",
       "%f = transform.get_parent_op %h {isolated_from_above} : (@) -> @\n"
       "%v = transform.structured.vectorize_children_and_apply_patterns %f : "
       "(@) -> @\n"
       "%l = transform.structured.match interface{LinalgOp} in %v : (@) -> @\n"
       "transform.structured.vectorize %l : @"});
  return insertSteps(place, {op, producer}, text);
}

bool formwork::testing::findVectors(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot =
      pickRecipeSpot(entry, random, isStructuredKind, /*atStart=*/0.25);
  Value scope = spot ? pickVisible(spot->place, random, isScopeKind) : Value();
  if (!scope)
    return false;
  Operation *place = spot->place;
  if (random.chance(0.4)) {
    Value functions = insertFunctions(place, scope);
    std::string type = getTypeText(functions);
    Operation *all = insertText(
        place, functions,
        "%v = transform.structured.vectorize_children_and_apply_patterns %h " +
            pickText(random, {"", "", "{vectorize_padding} "}) + ": (" + type +
            ") -> " + type);
    if (!all)
      return false;
    rebindToResult(all, functions);
    // The functions are new ones.
    if (functions == scope && random.chance(0.9))
      scope = all->getResult(0);
  } else if (!insertText(place, spot->handle,
                         "transform.structured.vectorize %h : " + spot->type)) {
    return false;
  }
  Value found = insertMatch(
      place, scope,
      pickText(random,
               {"ops{[\"vector.contract\"]}", "ops{[\"vector.transfer_read\"]}",
                "ops{[\"vector.transfer_write\"]}",
                "ops{[\"vector.multi_reduction\", \"arith.mulf\"]}"}));
  if (!found)
    return false;
  if (random.chance(0.25))
    return insertSplit(place, found, random);
  StringRef next = pickText(
      random,
      {"transform.annotate %h \"mutant.vector\" : @",
       "%p = transform.get_parent_op %h {op_name = \"scf.for\", deduplicate} : "
       "(@) -> @\ntransform.apply_licm to %p : @",
       "%p = transform.get_parent_op %h {op_name = \"scf.for\", "
       "allow_empty_results, deduplicate} : (@) -> @\n"
       "transform.apply_licm to %p : @",
       "transform.foreach %h : @ {\n^bb0(%x: @):\n"
       "%r = transform.get_producer_of_operand %x[0] : (@) -> @\n"
       "transform.annotate %r \"mutant.vector\" : @\n}",
       "transform.foreach %h : @ {\n^bb0(%x: @):\n"
       "%r = transform.get_consumers_of_result %x[0] : (@) -> @\n"
       "transform.annotate %r \"mutant.vector\" : @\n}"});
  return insertSteps(place, found, next);
}

bool formwork::testing::slicesOfTile(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  bool forall = random.chance(0.4);
  Operation *tile = insertLoops(place, spot->handle,
                                forall ? "tile_using_forall" : "tile_using_for",
                                pickText(random, {"4", "2", "0, 4", "5"}));
  if (!tile)
    return false;
  Value slices;
  if (random.chance(0.45)) {
    Operation *slice =
        insertProducer(place, tile->getResult(0), random.below(3));
    slices = slice ? Value(slice->getResult(0)) : Value();
  } else {
    slices = insertMatch(
        place, tile->getResult(1),
        pickText(random,
                 {"ops{[\"tensor.extract_slice\"]}",
                  "ops{[\"tensor.extract_slice\", \"memref.subview\"]}",
                  "ops{[\"tensor.insert_slice\"]}", "ops{[\"memref.subview\"]}",
                  "ops{[\"tensor.parallel_insert_slice\"]}"}));
  }
  if (!slices || (random.chance(0.4) && !insertCleanUp(place, slices, random)))
    return false;
  goOnWith(tile, spot->handle, 0.85, random);
  if (random.chance(0.3))
    return insertSplit(place, slices, random);
  StringRef next = pickText(
      random, {"transform.annotate %h \"mutant.slice\" : @",
               "transform.foreach %h : @ {\n^bb0(%x: @):\n"
               "transform.annotate %x \"mutant.slice\" : @\n}",
               "%c = transform.structured.insert_slice_to_copy %h : (@) -> @\n"
               "transform.annotate %c \"mutant.copy\" : @",
               "%r = transform.get_producer_of_operand %h[0] : (@) -> @\n"
               "transform.annotate %r \"mutant.source\" : @",
               "%c = transform.get_consumers_of_result %h[0] : (@) -> @\n"
               "transform.annotate %c \"mutant.reader\" : @"});
  return insertSteps(place, slices, next);
}

bool formwork::testing::jamLoops(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  bool three = random.chance(0.2);
  Operation *tile = insertLoops(
      place, spot->handle, "tile_using_for",
      three ? "4, 4, 4" : pickText(random, {"4, 4", "8, 2", "2, 4096"}),
      three ? 3 : 2);
  if (!tile)
    return false;
  if (!insertText(place, tile->getResult(random.chance(0.7) ? 1 : 2),
                  std::string("transform.loop.unroll") +
                      (random.chance(0.55) ? "_and_jam" : "") +
                      " %h {factor = " +
                      pickText(random, {"2", "2", "4", "3"}) + "} : " + anyOp))
    return false;
  // Jammed, there is one inner loop with all the copies; else, there are two.
  Value next;
  if (random.chance(0.5))
    next = tile->getResult(random.below(tile->getNumResults()));
  else if (Block &block = entry.getBody().front(); block.getNumArguments() != 0)
    next = insertMatch(place, block.getArgument(0),
                       pickText(random, {"ops{[\"scf.for\"]}",
                                         "interface{LoopLikeInterface}"}));
  if (!next)
    return false;
  if (!insertOneOf(place, next, random,
                   next == tile->getResult(0) ? ArrayRef(opSteps)
                                              : ArrayRef(loopSteps)))
    return false;
  return goOnWith(tile, spot->handle, 0.6, random);
}

bool formwork::testing::sharedByCleanUp(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(
      entry, random, random.chance(0.5) ? isScopeKind : isStructuredKind);
  Value functions = spot ? insertFunctions(spot->place, spot->handle) : Value();
  if (!functions)
    return false;
  Operation *place = spot->place;
  StringRef what =
      pickText(random, {"ops{[\"tensor.empty\"]}", "ops{[\"arith.constant\"]}",
                        "ops{[\"linalg.fill\"]}", "ops{[\"affine.apply\"]}",
                        "ops{[\"tensor.extract_slice\", \"memref.subview\"]}",
                        "interface{LinalgOp}"});
  Value before = insertMatch(place, functions, what);
  if (!before)
    return false;
  StringRef cleanUp = pickText(
      random,
      {"transform.apply_cse to %h : #", "transform.apply_dce to %h : #",
       "transform.apply_patterns to %h {\n"
       "transform.apply_patterns.canonicalization\n} : #",
       "transform.apply_patterns to %h {\n"
       "transform.apply_patterns.canonicalization\n} {apply_cse} : #",
       "%p = transform.apply_registered_pass \"cse\" to %h : (#) -> #"});
  Operation *clean = insertText(place, functions,
                                fillIn(cleanUp, '#', getTypeText(functions)));
  if (!clean)
    return false;
  if (clean->getNumResults() != 0) {
    rebindToResult(clean, functions);
    functions = clean->getResult(0);
  }
  Value found =
      random.chance(0.3) ? insertMatch(place, functions, what) : before;
  if (!found)
    return false;
  if (random.chance(0.35))
    return insertSplit(place, found, random);
  StringRef next = pickText(
      random, {"transform.annotate %h \"mutant.shared\" : @",
               "transform.foreach %h : @ {\n^bb0(%x: @):\n"
               "transform.annotate %x \"mutant.shared\" : @\n}",
               "%p = transform.get_parent_op %h {deduplicate} : (@) -> @\n"
               "transform.annotate %p \"mutant.shared\" : @",
               "%c = transform.get_consumers_of_result %h[0] : (@) -> @\n"
               "transform.annotate %c \"mutant.reader\" : @"});
  return insertSteps(place, found, next);
}

bool formwork::testing::useThePad(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  Value op = spot->handle;
  if (random.chance(0.7)) {
    Operation *tile = insertLoops(place, op, "tile_using_for",
                                  pickText(random, {"3", "5", "6", "4"}));
    if (!tile)
      return false;
    op = tile->getResult(0);
  }
  Operation *pad = insertSteps(
      place, op,
      "%p, %q, %c = transform.structured.pad %h " +
          pickText(random, {"", "pad_to_multiple_of [8, 8, 8] "}).str() +
          "{padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], "
          "padding_dimensions = [0, 1, 2], nofold_flags = [" +
          pickText(random, {"1, 1, 1", "1, 1, 1", "0, 0, 0"}).str() +
          "], copy_back_op = \"" +
          pickText(random, {"none", "linalg.copy"}).str() +
          "\"} : (@) -> (@, @, @)");
  if (!pad)
    return false;
  Value padded = pad->getResult(0), pads = pad->getResult(1);
  if (random.chance(0.3) && !insertCleanUp(place, padded, random))
    return false;
  if (random.chance(0.8))
    rebindToResult(pad, spot->handle);
  if (random.chance(0.3))
    return insertSplit(place, random.chance(0.7) ? pads : pad->getResult(2),
                       random);
  StringRef next = pickText(
      random, {"transform.annotate %h \"mutant.pad\" : @",
               "%r = transform.get_producer_of_operand %h1[0] : (@) -> @\n"
               "transform.annotate %r \"mutant.pad\" : @",
               "transform.structured.vectorize %h : @",
               "%g, %l = transform.structured.tile_using_for %h tile_sizes [2] "
               ": (@) -> (@, @)",
               "%r = transform.get_producer_of_operand %h1[1] : (@) -> "
               "!transform.op<\"tensor.pad\">\n"
               "%o = transform.structured.hoist_pad %r by 1 loops : "
               "(!transform.op<\"tensor.pad\">) -> @"});
  return insertSteps(place, {pads, padded}, next);
}

bool formwork::testing::loopsOfOp(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  Value op = spot->handle;
  if (random.chance(0.4)) {
    Operation *tile = insertLoops(place, op, "tile_using_for",
                                  pickText(random, {"4", "0, 4", "5"}));
    if (!tile)
      return false;
    op = tile->getResult(0);
  }
  Operation *make = insertSteps(
      place, op, "%l = transform.structured.convert_to_loops %h : (@) -> @");
  if (!make)
    return false;
  Value loops = make->getResult(0);
  if (random.chance(0.15))
    return insertSplit(place, loops, random);
  Value next = random.chance(0.85) ? loops : op;
  if (!insertOneOf(place, next, random, loopSteps))
    return false;
  return goOnWith(make, spot->handle, 0.3, random);
}
