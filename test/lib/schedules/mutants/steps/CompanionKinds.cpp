//===- CompanionKinds.cpp - Breakage among ops that go together -----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/steps/CompanionKinds.h"

#include "test/lib/schedules/mutants/edits/TilingEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// A new tiling of what `spot` holds: its first result is of the same type, its
/// second the loop.
static Operation *insertLoop(const Spot &spot, Random &random) {
  StringRef tiling = pickText(random, {"tile_using_forall %h tile_sizes [4]",
                                       "tile_using_forall %h num_threads [2]",
                                       "tile_using_for %h tile_sizes [4]",
                                       "tile_using_for %h tile_sizes [0, 2]"});
  return insertText(spot.place, spot.handle,
                    "%t, %l = transform.structured." + tiling + " : (" +
                        spot.type + ") -> (" + spot.type + ", " + anyOp + ")");
}

bool formwork::testing::fuseChain(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  unsigned operand = guessProduced(spot->handle, random);
  Operation *made = random.chance(0.75)
                        ? insertProducer(spot->place, spot->handle, operand)
                        : nullptr;
  Value producer = made ? made->getResult(0)
                        : pickVisible(spot->place, random, isStructuredKind);
  if (!producer)
    return false;
  bool deep = random.chance(0.5);
  Operation *next =
      deep ? insertProducer(spot->place, producer, random.below(2)) : nullptr;
  Operation *tile = insertLoop(*spot, random);
  if (!tile)
    return false;
  Values order{producer};
  if (next)
    order.push_back(next->getResult(0));
  if (next && random.chance(0.3))
    std::swap(order[0], order[1]);
  // Each fusion makes a new loop, which some forget.
  Value loop = tile->getResult(1);
  for (Value value : order) {
    Operation *fuse = insertFusion(spot->place, value, loop);
    if (!fuse)
      return false;
    if (random.chance(0.7))
      loop = fuse->getResult(1);
  }
  return goOnWith(tile, spot->handle, 0.7, random);
}

bool formwork::testing::fuseEpilogue(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  Value after;
  if (random.chance(0.5)) {
    Operation *consumers = insertText(
        spot->place, spot->handle,
        "%c = transform.get_consumers_of_result %h[0] : (" + spot->type +
            ") -> " + anyOp + "\n%s = transform.select \"" +
            pickText(random, {"linalg.generic", "linalg.add",
                              "linalg.elementwise", "linalg.matmul"}) +
            "\" in %c : (" + anyOp + ") -> " + anyOp);
    after = consumers ? consumers->getResult(0) : Value();
    // Some ask for all of the consumers.
    if (after && random.chance(0.25))
      after = consumers->getPrevNode()->getResult(0);
  } else {
    after = pickVisible(spot->place, random, isStructuredKind);
  }
  if (!after)
    return false;
  Spot last{spot->place, after, getTypeText(after)};
  Operation *tile = insertLoop(last, random);
  if (!tile)
    return false;
  Operation *fuse = insertFusion(spot->place, spot->handle, tile->getResult(1));
  return goOnWith(fuse, spot->handle, 0.7, random);
}

bool formwork::testing::packTranspose(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  bool deep = guessKind(spot->handle).contains("matmul");
  Operation *pack =
      insertText(spot->place, spot->handle,
                 "%p = transform.structured.pack %h packed_sizes = [" +
                     pickNumbers(random, deep ? 3 : 2, {2, 2, 4, 8}) + "] : (" +
                     spot->type + ") -> !transform.op<\"linalg.generic\">");
  if (!pack)
    return false;
  Value packed = pack->getResult(0);
  unsigned operand = random.below(deep ? 3 : 2);
  bool unpacks = random.chance(0.25);
  std::string type = getTypeText(packed);
  std::string which = unpacks ? "linalg.unpack" : "linalg.pack";
  StringRef perms = pickText(
      random, {"outer_perm = [1, 0]", "inner_perm = [1, 0]",
               "outer_perm = [1, 0] inner_perm = [1, 0]", "inner_perm = [0, 1]",
               "outer_perm = [0, 2, 1]", "inner_perm = [1]"});
  std::string find =
      unpacks ? "get_consumers_of_result %h[0]"
              : "get_producer_of_operand %h[" + std::to_string(operand) + "]";
  Operation *transpose =
      insertText(spot->place, packed,
                 "%o = transform." + find + " : (" + type +
                     ") -> !transform.op<\"" + which +
                     "\">\n%a, %b, %c = transform.structured.pack_transpose %o "
                     "with_compute_op(%h) " +
                     perms + " : (!transform.op<\"" + which + "\">, " + type +
                     ") -> (" + anyOp + ", " + anyOp + ", " + anyOp + ")");
  // The new op comes first; some go on with the packed one.
  if (!transpose)
    return false;
  if (random.chance(0.2))
    insertUse(spot->place, packed);
  return goOnWith(transpose, spot->handle, 0.6, random);
}

bool formwork::testing::padToSizes(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  unsigned rank = guessKind(spot->handle).contains("matmul") ? 3 : 2;
  unsigned number = random.chance(0.75) ? rank : random.between(1, 4);
  bool multiple = random.chance(0.5);
  std::string values;
  for (unsigned i = 0, e = random.chance(0.85) ? rank : 1; i < e; ++i)
    values += i ? ", 0.0 : f32" : "0.0 : f32";
  Operation *pad = insertText(
      spot->place, spot->handle,
      "%p, %d = transform.structured.pad_tiling_interface %h to padding_sizes "
      "[" +
          (multiple ? pickNumbers(random, number, {0, 2, 4, 8})
                    : pickNumbers(random, number, {0, 64, 64, 512, 512})) +
          "] " + (multiple ? "pad_to_multiple_of " : "") +
          "{padding_values = [" + values + "]} : (" + spot->type + ") -> (" +
          spot->type + ", " + anyOp + ")");
  return goOnWith(pad, spot->handle, 0.7, random);
}

bool formwork::testing::rewriteBefore(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  StringRef kind = guessKind(spot->handle);
  bool fits = random.chance(0.75);
  StringRef rewrite =
      fits && kind == "linalg.matmul"
          ? pickText(random, {"transpose_matmul %h", "transpose_matmul %h<rhs>",
                              "specialize %h"})
      : fits && kind == "linalg.generic"
          ? pickText(random, {"specialize %h", "flatten_elementwise %h",
                              "insert_slice_to_copy %h"})
          : pickText(random,
                     {"transpose_matmul %h", "flatten_elementwise %h",
                      "specialize %h", "decompose %h", "decompose_interface %h",
                      "rewrite_in_destination_passing_style %h",
                      "transpose_conv2d %h"});
  Operation *step = insertText(spot->place, spot->handle,
                               "%n = transform.structured." + rewrite + " : (" +
                                   spot->type + ") -> " + spot->type);
  return goOnWith(step, spot->handle, 0.75, random);
}

bool formwork::testing::vectorizeIdiom(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  Value functions = spot ? insertFunctions(spot->place, spot->handle) : Value();
  if (!functions)
    return false;
  std::string type = getTypeText(functions);
  auto apply = [&](StringRef pattern, StringRef more) {
    return ("transform.apply_patterns to %h1 {\n"
            "transform.apply_patterns." +
            pattern + "\ntransform.apply_patterns." + more + "\n} : " + type +
            "\n")
        .str();
  };
  std::string fold =
      apply("linalg.fold_unit_extent_dims_via_slices",
            random.chance(0.5) ? "canonicalization"
                               : "linalg.tiling_canonicalization");
  std::string contract = apply("vector.reduction_to_contract",
                               "vector.transfer_permutation_patterns");
  std::string lower =
      apply("vector.lower_contraction", "vector.lower_outerproduct");
  // Afterwards, the handle may be to what is gone.
  bool rematches = random.chance(0.65);
  std::string vectorize =
      rematches
          ? "%m = transform.structured.match interface{LinalgOp} in %h1 "
            ": (" +
                type + ") -> " + anyOp.str() +
                "\ntransform.structured.vectorize %m : " + anyOp.str() + "\n"
          : "transform.structured.vectorize %h : " + spot->type + "\n";
  SmallVector<std::string> steps{fold, vectorize, contract, lower};
  if (random.chance(0.4))
    steps.erase(steps.begin() + random.below(steps.size()));
  if (random.chance(0.25))
    std::swap(steps.front(), steps[1]);
  std::string text;
  for (const std::string &step : steps)
    text += step;
  return insertText(spot->place, {spot->handle, functions}, text);
}

bool formwork::testing::peelThenUnroll(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  std::string size =
      std::to_string(random.oneOf(ArrayRef<int64_t>{2, 3, 5, 7, 7}));
  // Peeling takes loops by their type.
  std::string any = "!transform.op<\"scf.for\">";
  std::string text =
      "%t, %l = transform.structured.tile_using_for %h tile_sizes [" + size +
      "] : (" + spot->type + ") -> (" + spot->type + ", " + any +
      ")\n%p, %r = transform.loop.peel %l : (" + any + ") -> (" + any + ", " +
      any + ")\n";
  StringRef loop = pickText(random, {"%p", "%p", "%p", "%r", "%l"});
  StringRef next = pickText(
      random, {"transform.loop.unroll @ {factor = 2} : #",
               "transform.apply_licm to @ : #",
               "transform.loop.promote_if_one_iteration @ : #",
               "%m = transform.structured.match interface{LinalgOp} in @ : (#) "
               "-> !transform.any_op\ntransform.structured.vectorize %m : "
               "!transform.any_op",
               "%o, %c = transform.loop.outline @ {func_name = \"mutant_rest\"}"
               " : (#) -> (!transform.any_op, !transform.any_op)"});
  text += fillIn(fillIn(next, '@', loop), '#', any);
  Operation *before = spot->place->getPrevNode();
  if (!insertText(spot->place, spot->handle, text))
    return false;
  Operation *tile =
      before ? before->getNextNode() : &spot->place->getBlock()->front();
  return goOnWith(tile, spot->handle, 0.6, random);
}

bool formwork::testing::continuousSizes(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  unsigned dimension = random.below(2);
  unsigned split = random.chance(0.85) ? dimension : 1 - dimension;
  std::string at = std::to_string(split);
  std::string by =
      pickText(random, {"!transform.param<i64>", "!transform.param<i64>",
                        "!transform.any_op"})
          .str();
  StringRef multiway = random.chance(0.85) ? ", multiway" : "";
  Operation *sizes = insertText(
      spot->place, spot->handle,
      "%s, %c = transform.structured.continuous_tile_sizes %h {dimension = " +
          Twine(dimension) + ", target_size = " +
          Twine(random.oneOf(ArrayRef<int64_t>{2, 3, 5, 9})) + "} : (" +
          spot->type + ") -> " + by);
  if (!sizes)
    return false;
  Operation *parts = insertText(
      spot->place, {spot->handle, sizes->getResult(1)},
      "%l = transform.structured.split %h after %h1 {dimension = " + at +
          multiway + "} : " + spot->type + ", " + by);
  if (!parts)
    return false;
  std::string type = getTypeText(parts->getResult(0));
  std::string tile = "%t, %o = transform.structured.tile_using_for ";
  std::string types =
      " : (" + type + ", " + by + ") -> (" + type + ", !transform.any_op)";
  std::string zeros = split == 1 ? "[0, " : "[";
  bool apart = random.chance(0.75);
  if (!insertText(
          spot->place, {parts->getResult(0), sizes->getResult(0)},
          apart ? "transform.foreach %h, %h1" +
                      std::string(random.chance(0.3) ? " with_zip_shortest"
                                                     : "") +
                      " : " + type + ", " + by + " {\n^bb0(%x: " + type +
                      ", %y: " + by + "):\n" + tile + "%x tile_sizes " + zeros +
                      "%y]" + types + "\n}"
                : tile + "%h tile_sizes " + zeros + "%h1]" + types))
    return false;
  return goOnWith(parts, spot->handle, 0.7, random);
}
