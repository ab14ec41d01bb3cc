//===- RewriteKinds.cpp - Breakage by patterns ----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/operations/RewriteKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Patterns that rewrite structured ops and what is around them.
static constexpr StringRef rewriting[] = {
    "linalg.fold_unit_extent_dims_via_reshapes",
    "linalg.fold_unit_extent_dims_via_slices",
    "linalg.fold_add_into_dest",
    "linalg.decompose_pad",
    "linalg.pad_vectorization",
    "linalg.erase_unnecessary_inputs",
    "linalg.decompose_pack_unpack",
    "linalg.fold_pack_unpack_into_empty",
    "tensor.fold_into_pack_and_unpack",
    "tensor.rewrite_as_constant",
    "tensor.bubble_up_extract_slice",
    "tensor.fold_tensor_subset_ops",
    "tensor.decompose_concat",
    "scf.for_loop_canonicalization",
    "memref.expand_ops",
    "vector.sink_ops",
    "vector.reduction_to_contract",
    "vector.cast_away_vector_leading_one_dim"};

/// Inserts an application of some of those to `functions`.
static Operation *insertRewriting(Operation *place, Value functions,
                                  Random &random, ArrayRef<StringRef> from) {
  std::string text = "transform.apply_patterns to %h {\n";
  for (unsigned i = 0, e = random.between(1, 2); i < e; ++i)
    text += ("transform.apply_patterns." + pickText(random, from) + "\n").str();
  if (random.chance(0.3))
    text += "transform.apply_patterns.canonicalization\n";
  text += random.chance(0.2) ? "} {apply_cse} : " : "} : ";
  return insertText(place, functions, text + getTypeText(functions));
}

bool formwork::testing::limitPatterns(NamedSequenceOp entry, Random &random) {
  auto apply = pickStep<transform::ApplyPatternsOp>(entry, random);
  if (!apply || random.chance(0.4)) {
    std::optional<Spot> spot =
        pickSpotOf(entry, random, [](StringRef kind) { return !kind.empty(); });
    Value functions =
        spot ? insertFunctions(spot->place, spot->handle) : Value();
    apply = dyn_cast_or_null<transform::ApplyPatternsOp>(
        functions ? insertText(spot->place, functions,
                               "transform.apply_patterns to %h {\n"
                               "transform.apply_patterns.canonicalization\n"
                               "transform.apply_patterns.linalg.tiling_"
                               "canonicalization\n} : " +
                                   getTypeText(functions))
                  : nullptr);
    if (!apply)
      return false;
  }
  if (random.chance(0.6))
    apply.setMaxIterations(random.oneOf(ArrayRef<int64_t>{0, 1, 1, 2, 3}));
  else
    apply.setMaxNumRewrites(random.oneOf(ArrayRef<int64_t>{0, 1, 2, 10, 100}));
  if (random.chance(0.3))
    apply.setApplyCse(!apply.getApplyCse());
  return true;
}

bool formwork::testing::rewriteUnderHandle(NamedSequenceOp entry,
                                           Random &random) {
  std::optional<Spot> spot = pickSpotOf(entry, random, isStructuredKind);
  Value functions = spot ? insertFunctions(spot->place, spot->handle) : Value();
  if (!functions || !insertRewriting(spot->place, functions, random, rewriting))
    return false;
  // The steps behind read the handle; another may, too.
  if (random.chance(0.4))
    return insertOneOf(spot->place, spot->handle, random, opSteps);
  return true;
}

bool formwork::testing::unitDims(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOfMatch(entry, random);
  if (!spot)
    return false;
  StringRef sizes =
      pickText(random, {"1", "1, 4", "0, 1", "1, 1", "4, 1", "1, 0, 8"});
  unsigned numLoops = 1 + sizes.count(',') - sizes.count('0');
  Operation *tile =
      insertLoops(spot->place, spot->handle, "tile_using_for", sizes, numLoops);
  if (!tile)
    return false;
  Value op = tile->getResult(0);
  Value functions = insertFunctions(spot->place, op);
  if (!functions ||
      !insertRewriting(spot->place, functions, random,
                       {"linalg.fold_unit_extent_dims_via_reshapes",
                        "linalg.fold_unit_extent_dims_via_slices",
                        "linalg.fold_unit_extent_dims_via_slices"}))
    return false;
  // Folding makes a generic of the named op; some know, and look for that.
  Operation *last = tile;
  if (random.chance(0.5)) {
    Value scope = random.chance(0.6) ? tile->getResult(1) : functions;
    Value found = insertMatch(
        spot->place, scope,
        pickText(random, {"ops{[\"linalg.generic\"]}", "interface{LinalgOp}"}));
    if (!found)
      return false;
    op = found;
    last = found.getDefiningOp();
  }
  if (random.chance(0.6) && !insertOneOf(spot->place, op, random, opSteps))
    return false;
  return goOnWith(last, spot->handle, 0.8, random);
}

bool formwork::testing::slicesFirst(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot =
      pickRecipeSpot(entry, random, isStructuredKind, /*atStart=*/0.3);
  if (!spot)
    return false;
  Operation *place = spot->place;
  // The producer as it is known from before, or as it is found in the loop.
  bool before = random.chance(0.3);
  Operation *producer =
      before ? insertProducer(place, spot->handle,
                              guessProduced(spot->handle, random))
             : nullptr;
  Operation *tile =
      insertLoops(place, spot->handle,
                  pickText(random, {"tile_using_for", "tile_using_for",
                                    "tile_using_forall"}),
                  pickText(random, {"4", "8", "0, 8", "16"}));
  Value functions = tile ? insertFunctions(place, tile->getResult(0)) : Value();
  if (!functions || (before && !producer) ||
      !insertSteps(
          place, functions,
          pickText(random,
                   {"transform.apply_patterns to %h {\n"
                    "transform.apply_patterns.tensor.bubble_up_extract_slice\n"
                    "} : @",
                    "transform.apply_patterns to %h {\n"
                    "transform.apply_patterns.tensor.bubble_up_extract_slice\n"
                    "transform.apply_patterns.canonicalization\n} : @",
                    "transform.apply_patterns to %h {\n"
                    "transform.apply_patterns.tensor.bubble_up_extract_slice\n"
                    "transform.apply_patterns.linalg.tiling_canonicalization\n"
                    "} {apply_cse} : @"})))
    return false;
  Value part =
      producer ? Value(producer->getResult(0))
               : insertMatch(place, tile->getResult(1),
                             pickText(random, {"ops{[\"linalg.fill\"]}",
                                               "interface{LinalgOp}",
                                               "ops{[\"tensor.extract_slice\"]"
                                               "}"}));
  return part && insertOneOf(place, part, random, opSteps) &&
         goOnWith(tile, spot->handle, 0.85, random);
}
