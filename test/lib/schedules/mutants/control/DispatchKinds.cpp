//===- DispatchKinds.cpp - Breakage by dispatch ---------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/control/DispatchKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// The results of a tiling: their types, and the values that `%r` has.
static std::pair<std::string, std::string> listResults(unsigned number) {
  std::string types, values;
  for (unsigned i = 0; i < number; ++i) {
    types += i ? ", &" : "&";
    values += (i ? ", %r#" : "%r#") + std::to_string(i);
  }
  return {types, values};
}

/// Inserts the sequence `name` that tiles `%op` and hands out all that makes.
static bool insertTilingSequence(NamedSequenceOp entry, StringRef name,
                                 Operation *tile, StringRef sizes,
                                 bool hasParameter) {
  unsigned number = tile->getNumResults();
  auto [types, values] = listResults(number);
  std::string parameter = hasParameter ? ", %n: $ {transform.readonly}" : "";
  return insertSequences(
      entry,
      withTypes("transform.named_sequence @" + name.str() +
                "(%op: & {transform.consumed}" + parameter + ") -> (" + types +
                ") {\n%r:" + std::to_string(number) + " = " +
                tile->getName().getStringRef().str() + " %op tile_sizes [" +
                sizes.str() + "] " + getMappingText(tile) + " : (&" +
                (hasParameter ? ", $" : "") + ") -> (" + types +
                ")\ntransform.yield " + values + " : " + types + "\n}"));
}

bool formwork::testing::dispatchStep(NamedSequenceOp entry, Random &random) {
  Operation *tile = pickStep(getUntypedTilings(entry), random);
  if (!tile)
    return false;
  Value handle = tile->getOperand(0);
  StringRef kind = guessKind(handle);
  if (!isStructuredKind(kind))
    return false;
  std::string kinds = ("\"" + kind + "\"").str();
  if (kind == "linalg.generic")
    kinds += ", \"linalg.matmul\", \"linalg.conv_2d_nhwc_hwcf\"";
  else if (random.chance(0.2))
    kinds += ", \"linalg.fill\"";
  bool asks = random.chance(0.8);
  if (!insertSequences(
          entry,
          withTypes(
              "transform.named_sequence @mutant_is(%op: & "
              "{transform.readonly}) -> & {\n" +
              (asks ? "transform.match.operation_name %op [" + kinds + "] : &\n"
                    : "transform.match.structured failures(propagate) "
                      "%op : & {\n^bb0(%s: &):\n"
                      "transform.match.structured.body %s "
                      "{contraction = [\"arith.mulf\", "
                      "\"arith.addf\"]} : &\n"
                      "transform.match.structured.yield\n}\n") +
              "transform.yield %op : &\n}")) ||
      !insertTilingSequence(entry, "mutant_does", tile,
                            listNumbers(getSizes(tile)),
                            /*hasParameter=*/false))
    return false;
  Value functions = insertFunctions(tile, handle);
  if (!functions)
    return false;
  std::string types = listResults(tile->getNumResults()).first;
  std::string type = getTypeText(functions);
  Operation *dispatch = insertText(
      tile, functions,
      withTypes("%u, %r:" + std::to_string(tile->getNumResults()) +
                " = transform.foreach_match " +
                pickText(random, {"", "", "flatten_results "}).str() +
                "in %h @mutant_is -> @mutant_does : (" + type + ") -> (" +
                type + ", " + types + ")"));
  if (!dispatch)
    return false;
  rebindToResult(dispatch, functions);
  return replaceStep(tile, dispatch, /*first=*/1);
}

bool formwork::testing::sizedHelper(NamedSequenceOp entry, Random &random) {
  Operation *tile = pickStep(getUntypedTilings(entry), random);
  if (!tile)
    return false;
  Numbers sizes = getSizes(tile);
  auto *found = llvm::find_if(sizes, [](int64_t size) { return size > 0; });
  if (found == sizes.end())
    return false;
  int64_t size = *found;
  std::string list = listNumbers(ArrayRef(sizes.begin(), found));
  list += (list.empty() ? "%n" : ", %n");
  if (found + 1 != sizes.end())
    list += ", " + listNumbers(ArrayRef(found + 1, sizes.end()));
  if (!insertTilingSequence(entry, "mutant_sized", tile, list,
                            /*hasParameter=*/true))
    return false;
  std::string types = listResults(tile->getNumResults()).first;
  auto call = [&](Operation *place, Value handle, int64_t by) {
    return insertText(
        place, handle,
        withTypes("%n = transform.param.constant " + std::to_string(by) +
                  " : i64 -> $\n%r:" + std::to_string(tile->getNumResults()) +
                  " = transform.include @mutant_sized failures(propagate) (%h, "
                  "%n) : (&, $) -> (" +
                  types + ")"));
  };
  Value handle = tile->getOperand(0);
  Operation *first = call(tile, handle, size);
  if (!first)
    return false;
  Value made = first->getResult(0);
  if (random.chance(0.65)) {
    // Once more: for the tiles, for another op, or for what was tiled.
    Operation *place =
        random.chance(0.5) ? tile : entry.getBody().front().getTerminator();
    if (place != tile && tile->getBlock() != place->getBlock())
      return false;
    Value other = random.chance(0.35) ? made
                  : random.chance(0.85)
                      ? pickVisible(place, random, isStructuredKind)
                      : handle;
    int64_t by = random.chance(0.5) ? size : random.between(1, 8);
    if (other && isa<transform::AnyOpType>(other.getType())) {
      Operation *again = call(place, other, by);
      if (!again)
        return false;
      if (other == made && place == tile && random.chance(0.8))
        made = again->getResult(0);
    }
  }
  tile->getResult(0).replaceAllUsesWith(made);
  for (unsigned i = 1, e = tile->getNumResults(); i < e; ++i)
    tile->getResult(i).replaceAllUsesWith(first->getResult(i));
  tile->erase();
  return true;
}
