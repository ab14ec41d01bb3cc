//===- NestKinds.cpp - Breakage of loop nests -----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/loops/NestKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

static bool isTiling(Operation *op) {
  return isa<transform::TileUsingForOp, transform::TileUsingForallOp>(op);
}

bool formwork::testing::exchangeNest(NamedSequenceOp entry, Random &random) {
  Ops found;
  for (Operation *op : getSteps(entry)) {
    if (!isTiling(op) || op->getNumOperands() != 1)
      continue;
    Operation *before = op->getOperand(0).getDefiningOp();
    if (before && isTiling(before) && op->getBlock() == before->getBlock() &&
        op->getOperand(0) == before->getResult(0) &&
        op->getResult(0).getType() == before->getOperand(0).getType())
      found.push_back(op);
  }
  Operation *second = pickStep(found, random);
  if (!second)
    return false;
  Operation *first = second->getOperand(0).getDefiningOp();
  Value tiled = second->getResult(0);
  second->setOperand(0, first->getOperand(0));
  // Later steps may be left with the tile that is no longer the last one.
  if (random.chance(0.8))
    tiled.replaceAllUsesWith(first->getResult(0));
  first->setOperand(0, tiled);
  second->moveBefore(first);
  return true;
}

bool formwork::testing::unrollNest(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(
      entry, random, [](StringRef kind) { return kind == "scf.for"; });
  if (!spot)
    return false;
  Values loops;
  for (Value handle : getVisibleHandles(spot->place))
    if (handle.getParentBlock() == spot->place->getBlock() &&
        guessKind(handle) == "scf.for")
      loops.push_back(handle);
  if (loops.empty())
    return false;
  // The innermost first, as one should, or as they are written.
  if (random.chance(0.6))
    std::reverse(loops.begin(), loops.end());
  unsigned number = random.between(1, std::min<size_t>(3, loops.size()));
  bool jams = random.chance(0.15);
  std::string factor =
      std::to_string(random.oneOf(ArrayRef<int64_t>{2, 2, 4, 8}));
  for (Value loop : ArrayRef(loops).take_front(number))
    if (!insertText(spot->place, loop,
                    std::string("transform.loop.unroll") +
                        (jams ? "_and_jam" : "") + " %h {factor = " + factor +
                        "} : " + getTypeText(loop)))
      return false;
  if (random.chance(0.3))
    insertUse(spot->place, loops.front());
  return true;
}

bool formwork::testing::scaleSizes(NamedSequenceOp entry, Random &random) {
  bool down = random.chance(0.5), alsoVectors = random.chance(0.7);
  int64_t by = random.chance(0.8) ? 2 : 3;
  auto scale = [&](int64_t size) {
    return size <= 0 ? size
           : down    ? std::max<int64_t>(1, size / by)
                     : size * by;
  };
  bool changed = false;
  for (Operation *op : getSteps(entry)) {
    if (!isTiling(op) && !(alsoVectors && isa<transform::VectorizeOp>(op)))
      continue;
    for (StringRef name :
         {"static_sizes", "static_tile_sizes", "static_vector_sizes"}) {
      auto sizes = op->getAttrOfType<DenseI64ArrayAttr>(name);
      if (!sizes)
        continue;
      SmallVector<int64_t> scaled =
          llvm::map_to_vector(sizes.asArrayRef(), scale);
      auto attr = DenseI64ArrayAttr::get(entry.getContext(), scaled);
      changed |= attr != sizes;
      op->setAttr(name, attr);
    }
  }
  return changed;
}

bool formwork::testing::dimAsSize(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  std::string any = anyOp.str(), i64 = "!transform.param<i64>";
  StringRef dimension = pickText(random, {"0", "0", "-1", "1", "all"});
  // Tiles the same dimension, or another.
  StringRef zeros = pickText(random, {"", "", "0, "});
  StringRef mode = random.chance(0.8) ? "propagate" : "suppress";
  StringRef more = pickText(random, {"", "", ", 2"});
  std::string loops = more.empty() ? any : any + ", " + any;
  Operation *tile =
      insertText(spot->place, spot->handle,
                 "%k = transform.cast %h : " + spot->type + " to " + any +
                     "\n%d = transform.match.structured failures(" + mode +
                     ") %k : (" + any + ") -> " + i64 + " {\n^bb0(%s: " + any +
                     "):\n%n = transform.match.structured.dim %s[" + dimension +
                     "] : (" + any + ") -> " + i64 +
                     "\ntransform.match.structured.yield %n : " + i64 +
                     "\n}\n%t:" + Twine(more.empty() ? 2 : 3) +
                     " = transform.structured.tile_using_for %h tile_sizes [" +
                     zeros + "%d" + more + "] : (" + spot->type + ", " + i64 +
                     ") -> (" + spot->type + ", " + loops + ")");
  return goOnWith(tile, spot->handle, 0.7, random);
}

bool formwork::testing::opAsSize(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  // Mostly the step of a loop; else, any constant there is.
  Value loop = random.chance(0.75)
                   ? pickVisible(spot->place, random, isLoopKind)
                   : Value();
  Operation *size = nullptr;
  if (loop) {
    unsigned operand = random.oneOf(ArrayRef<unsigned>{2, 2, 2, 1});
    size = insertText(spot->place, loop,
                      "%s = transform.get_producer_of_operand %h[" +
                          Twine(operand) + "] : (" + getTypeText(loop) +
                          ") -> " + anyOp);
  } else {
    Value functions = insertFunctions(spot->place, spot->handle);
    StringRef how = pickText(random, {"", " filter_result_type = index"});
    if (functions)
      size = insertText(spot->place, functions,
                        "%m = transform.structured.match "
                        "ops{[\"arith.constant\"]}" +
                            how + " in %h : (" + getTypeText(functions) +
                            ") -> " + anyOp +
                            "\n%s, %r = transform.split_handle %m "
                            "{overflow_result = 1} : (" +
                            anyOp + ") -> (" + anyOp + ", " + anyOp + ")");
  }
  if (!size)
    return false;
  bool forall = random.chance(0.3);
  Operation *tile =
      insertText(spot->place, {spot->handle, size->getResult(0)},
                 std::string("%t, %l = transform.structured.") +
                     (forall ? "tile_using_forall" : "tile_using_for") +
                     " %h tile_sizes [" + pickText(random, {"", "", "0, "}) +
                     "%h1] : (" + spot->type + ", " + anyOp + ") -> (" +
                     spot->type + ", " + anyOp + ")");
  return goOnWith(tile, spot->handle, 0.7, random);
}

bool formwork::testing::outlineKernel(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isLoopKind);
  if (!spot)
    return false;
  Operation *tiling = spot->handle.getDefiningOp();
  std::string any = anyOp.str();
  std::string outline =
      "%f, %c = transform.loop.outline @ {func_name = \"mutant_kernel\"} : "
      "(#) -> (" +
      any + ", " + any + ")\n";
  StringRef next = pickText(
      random,
      {"transform.apply_patterns to %f {\n"
       "transform.apply_patterns.canonicalization\n} : $\n",
       "%m = transform.structured.match interface{LinalgOp} in %f : ($) -> $\n"
       "transform.structured.vectorize %m : $\n",
       "%p = transform.apply_registered_pass \"cse\" to %f : ($) -> $\n"
       "transform.annotate %c \"mutant.call\" : $\n",
       "%g = transform.get_parent_op %c {isolated_from_above} : ($) -> $\n"
       "transform.apply_cse to %g : $\n",
       // The loop went with the function.
       "transform.annotate @ \"mutant.loop\" : #\n",
       "transform.loop.unroll @ {factor = 2} : #\n"});
  std::string text = fillIn(outline + next.str(), '@', "%h");
  text = fillIn(fillIn(text, '#', spot->type), '$', any);
  if (!insertText(spot->place, spot->handle, text))
    return false;
  if (tiling && isTiling(tiling) && random.chance(0.4))
    insertUse(spot->place, tiling->getResult(0));
  return true;
}

bool formwork::testing::unrollThenVectorize(NamedSequenceOp entry,
                                            Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  Value functions = spot ? insertFunctions(spot->place, spot->handle) : Value();
  if (!functions)
    return false;
  std::string any = anyOp.str();
  StringRef zeros = pickText(random, {"", "0, ", "0, 0, "});
  std::string size = std::to_string(random.oneOf(ArrayRef<int64_t>{1, 2, 4}));
  std::string factor = std::to_string(random.oneOf(ArrayRef<int64_t>{2, 4}));
  std::string unroll =
      "transform.loop.unroll %l {factor = " + factor + "} : " + any + "\n";
  // All of what the loop holds now, or the op that was tiled.
  StringRef where = pickText(random, {"%l", "%h1", ""});
  std::string vectorize =
      where.empty()
          ? "transform.structured.vectorize %t : " + any + "\n"
          : ("%m = transform.structured.match interface{LinalgOp} in " + where +
             " : (" + (where == "%l" ? any : getTypeText(functions)) + ") -> " +
             any + "\ntransform.structured.vectorize %m : " + any + "\n")
                .str();
  bool inOrder = random.chance(0.35);
  return insertText(spot->place, {spot->handle, functions},
                    "%t, %l = transform.structured.tile_using_for %h "
                    "tile_sizes [" +
                        zeros + size + "] : (" + spot->type + ") -> (" + any +
                        ", " + any + ")\n" +
                        (inOrder ? vectorize + unroll : unroll + vectorize));
}

bool formwork::testing::loopsAsOne(NamedSequenceOp entry, Random &random) {
  Ops found = getUntypedTilings(entry);
  llvm::erase_if(found, [](Operation *tile) {
    return tile->getNumResults() < 3 || tile->getNumResults() > 4;
  });
  Operation *tile = pickStep(found, random);
  Operation *place = tile ? tile->getNextNode() : nullptr;
  if (!tile || random.chance(0.3)) {
    std::optional<Spot> spot = pickRecipeSpot(entry, random);
    if (!spot)
      return false;
    tile = insertLoops(spot->place, spot->handle, "tile_using_for",
                       pickText(random, {"4, 4", "8, 4", "2, 16"}), 2);
    if (!tile)
      return false;
    rebindToResult(tile, spot->handle);
    place = spot->place;
  } else if (random.chance(0.4)) {
    place = tile->getBlock()->getTerminator();
  }
  Values loops(tile->getResults().drop_front());
  if (random.chance(0.5))
    std::reverse(loops.begin(), loops.end());
  Operation *nest = insertSteps(
      place, loops,
      loops.size() == 2 ? "%m = transform.merge_handles %h, %h1 : @"
                        : "%m = transform.merge_handles %h, %h1, %h2 : @");
  if (!nest || !insertOneOf(place, nest->getResult(0), random, loopSteps))
    return false;
  return !random.chance(0.5) ||
         insertOneOf(place, random.chance(0.6) ? tile->getResult(0) : loops[1],
                     random, opSteps);
}
