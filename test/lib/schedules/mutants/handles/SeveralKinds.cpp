//===- SeveralKinds.cpp - Breakage by one of several ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/handles/SeveralKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

namespace {
/// A step with several results, of which `right` is the op to go on with. `#`
/// stands for the sizes of a tiling of the last dimension.
struct SeveralStep {
  StringLiteral text;
  unsigned right;
};
} // namespace

static constexpr SeveralStep severalSteps[] = {
    {"%a, %b, %c, %d = transform.structured.split_reduction %h {split_factor = "
     "4, insert_split_dimension = 0} : (@) -> (@, @, @, @)",
     2},
    {"%a, %b, %c, %d = transform.structured.tile_reduction_using_for %h by "
     "tile_sizes = [#] : (@) -> (@, @, @, @)",
     1},
    {"%a, %b, %c = transform.structured.tile_using_for %h tile_sizes [8, 4] : "
     "(@) -> (@, @, @)",
     0},
    {"%a, %b = transform.structured.tile_using_forall %h tile_sizes [4, 8] : "
     "(@) -> (@, @)",
     0},
    {"%a, %b, %c = transform.structured.fuse %h tile_sizes [4, 4] : (@) -> "
     "(@, @, @)",
     0},
    {"%a, %b, %c = transform.structured.pad %h {padding_values = [0.0 : f32, "
     "0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1], nofold_flags = [1, "
     "0, 0], copy_back_op = \"none\"} : (@) -> (@, @, @)",
     0},
    {"%v, %b = transform.structured.bufferize_to_allocation %h : @\n"
     "%a, %p = transform.structured.tile_using_for %b tile_sizes [4] : (@) -> "
     "(@, @)",
     0}};

/// The sizes that tile the last of `rank` dimensions by `size`.
static std::string tileLast(unsigned rank, int64_t size) {
  Numbers sizes(rank, 0);
  sizes.back() = size;
  return listNumbers(sizes);
}

bool formwork::testing::wrongOfSeveral(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOfMatch(entry, random, [](StringRef kind) {
    return isContractionKind(kind) || kind == "linalg.fill";
  });
  if (!spot)
    return false;
  const SeveralStep &several =
      severalSteps[random.below(std::size(severalSteps))];
  std::string sizes = tileLast(guessRank(spot->handle), 4);
  Operation *step =
      insertSteps(spot->place, spot->handle, fillIn(several.text, '#', sizes));
  if (!step)
    return false;
  unsigned number =
      random.chance(0.4) ? several.right : random.below(step->getNumResults());
  Value taken = step->getResult(number);
  if (!isOpHandle(taken))
    return false;
  if (random.chance(0.5) && !insertOneOf(spot->place, taken, random, opSteps))
    return false;
  return goOnWith(step, spot->handle, 0.7, random, number);
}

/// The way in which a split into `number` parts may treat the rest.
static std::string pickManner(unsigned number, Random &random) {
  std::string rest = std::to_string(random.below(number));
  StringRef manner = pickText(
      random,
      {"", "", "{overflow_result = #}", "{fail_on_payload_too_small = false}",
       "{overflow_result = #, fail_on_payload_too_small = false}",
       "{pass_through_empty_handle = false}"});
  return fillIn(manner, '#', rest);
}

bool formwork::testing::miscountSplit(NamedSequenceOp entry, Random &random) {
  auto old = pickStep<transform::SplitHandleOp>(entry, random);
  Operation *place = nullptr;
  Value handle;
  unsigned number;
  if (old) {
    place = old;
    handle = old.getHandle();
    number = old->getNumResults();
    number = random.chance(0.5) || number == 1 ? number + 1 : number - 1;
    if (random.chance(0.3))
      number = old->getNumResults();
  } else {
    auto match = pickStep<transform::MatchOp>(entry, random);
    if (!match)
      return false;
    place = match->getNextNode();
    handle = match.getResult();
    number = random.between(1, 3);
  }
  std::string type = getTypeText(handle), types = type;
  for (unsigned i = 1; i < number; ++i)
    types += ", " + type;
  Operation *split = insertText(
      place, handle,
      "%s:" + Twine(number) + " = transform.split_handle %h " +
          pickManner(number, random) + " : (" + type + ") -> (" + types + ")");
  if (!split)
    return false;
  if (!old)
    return rebindToResult(split, handle, random.below(number));
  if (number == old->getNumResults() &&
      old->getAttrDictionary() == split->getAttrDictionary())
    return false;
  for (auto [i, result] : llvm::enumerate(old->getResults())) {
    Value other = split->getResult(std::min<unsigned>(i, number - 1));
    if (other.getType() != result.getType())
      return false;
    result.replaceAllUsesWith(other);
  }
  old->erase();
  return true;
}
