//===- InsertionKinds.cpp - Breakage by a step too many -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/steps/InsertionKinds.h"

#include "test/lib/schedules/mutants/edits/TilingEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Inserts `text`, a step on `handles`. In a `share` of the cases, what follows
/// reads its first result instead of the first handle, if it has one and the
/// types let it.
static bool insertStep(Operation *place, ArrayRef<Value> handles,
                       const Twine &text, double share, Random &random) {
  Operation *step = insertText(place, handles, text);
  if (!step)
    return false;
  if (step->getNumResults() != 0 && random.chance(share))
    rebindToResult(step, handles.front());
  return true;
}

bool formwork::testing::cleanUpBetween(NamedSequenceOp entry, Random &random) {
  bool around = random.chance(0.3);
  std::optional<Spot> spot = pickSpotOf(entry, random, [&](StringRef kind) {
    return isScopeKind(kind) || (around && isStructuredKind(kind));
  });
  if (!spot)
    return false;
  Value scope = random.chance(0.3) ? spot->handle
                                   : insertFunctions(spot->place, spot->handle);
  if (!scope)
    return false;
  static constexpr StringLiteral more[] = {
      "",
      "transform.apply_patterns.linalg.tiling_canonicalization",
      "transform.apply_patterns.scf.for_loop_canonicalization",
      "transform.apply_patterns.tensor.fold_tensor_empty",
      "transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice",
      "transform.apply_patterns.linalg.erase_unnecessary_inputs",
      "transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices",
      "transform.apply_patterns.tensor.reassociative_reshape_folding"};
  StringRef pattern = more[random.below(std::size(more))];
  std::string type = getTypeText(scope);
  std::string patterns = ("transform.apply_patterns to %h {\n"
                          "transform.apply_patterns.canonicalization\n" +
                          pattern + "\n} : " + type + "\n")
                             .str();
  std::string cse = "transform.apply_cse to %h : " + type + "\n";
  switch (random.below(4)) {
  case 0:
    return insertText(spot->place, scope, patterns);
  case 1:
    return insertText(spot->place, scope, cse);
  case 2:
    return insertText(spot->place, scope, patterns + cse);
  default:
    if (random.chance(0.3))
      return insertText(spot->place, scope,
                        "transform.apply_dce to %h : " + type);
    return insertText(
        spot->place, scope,
        "%l = transform.structured.match interface{LoopLikeInterface} in %h : "
        "(" +
            type + ") -> " + anyOp + "\ntransform.apply_licm to %l : " + anyOp);
  }
}

bool formwork::testing::passBetween(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOf(entry, random, [&](StringRef kind) {
    return isScopeKind(kind) || isStructuredKind(kind);
  });
  Value functions = spot ? insertFunctions(spot->place, spot->handle) : Value();
  if (!functions)
    return false;
  static constexpr StringLiteral passes[] = {"canonicalize",
                                             "cse",
                                             "loop-invariant-code-motion",
                                             "convert-linalg-to-loops",
                                             "linalg-generalize-named-ops",
                                             "sccp",
                                             "scf-for-loop-canonicalization",
                                             "convert-scf-to-cf",
                                             "linalg-fuse-elementwise-ops",
                                             "fold-memref-alias-ops",
                                             "lower-affine",
                                             "mem2reg"};
  StringRef name = passes[random.below(std::size(passes))];
  std::string type = getTypeText(functions);
  return insertStep(spot->place, functions,
                    "%p = transform.apply_registered_pass \"" + name +
                        "\" to %h : (" + type + ") -> " + type,
                    /*share=*/0.4, random);
}

bool formwork::testing::lowerEarly(NamedSequenceOp entry, Random &random) {
  bool whole = random.chance(0.6);
  std::optional<Spot> spot =
      pickSpotOf(entry, random,
                 whole ? llvm::function_ref<bool(StringRef)>(isScopeKind)
                       : llvm::function_ref<bool(StringRef)>(isStructuredKind));
  if (!spot)
    return false;
  std::string same = " : (" + spot->type + ") -> " + spot->type;
  std::string text;
  if (whole && random.chance(0.6))
    text = "%r = transform.bufferization.one_shot_bufferize "
           "layout{IdentityLayoutMap} %h {bufferize_function_boundaries = "
           "true, allow_return_allocs_from_loops = true}" +
           same;
  else if (whole)
    text = "%r = transform.structured.vectorize_children_and_apply_patterns "
           "%h" +
           same;
  else if (random.chance(0.5))
    text = "%r = transform.structured.convert_to_loops %h" + same;
  else
    text = "transform.structured.vectorize %h : " + spot->type;
  return insertStep(spot->place, spot->handle, text, /*share=*/0.75, random);
}

bool formwork::testing::loopStep(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOf(entry, random, isLoopKind);
  if (!spot) {
    // Those that are there already.
    spot = pickSpotOf(entry, random, isScopeKind);
    Operation *match =
        spot ? insertText(spot->place, spot->handle,
                          "%l = transform.structured.match ops{[\"scf.for\"]} "
                          "in %h : (" +
                              spot->type + ") -> " + anyOp)
             : nullptr;
    if (!match)
      return false;
    spot = Spot{spot->place, match->getResult(0), anyOp.str()};
  }
  const std::string &type = spot->type;
  std::string two = " : (" + type + ") -> (" + type + ", " + type + ")";
  std::string factor = std::to_string(random.between(2, 4));
  std::string text;
  switch (random.below(7)) {
  case 0:
    text = "transform.loop.unroll %h {factor = " + factor + "} : " + type;
    break;
  case 1:
    text =
        "transform.loop.unroll_and_jam %h {factor = " + factor + "} : " + type;
    break;
  case 2:
  case 3: {
    // The op wants a handle to scf.for or to anything.
    bool front = random.chance(0.3);
    text = std::string("%p, %r = transform.loop.peel %h") +
           (front ? " {peel_front = true}" : "") + two;
    break;
  }
  case 4:
    text = "%p = transform.loop.pipeline %h : (" + type + ") -> " + type;
    break;
  case 5:
    text =
        "%f, %c = transform.loop.outline %h {func_name = \"outlined\"}" + two;
    break;
  default:
    text = "transform.loop.promote_if_one_iteration %h : " + type;
  }
  return insertStep(spot->place, spot->handle, text, /*share=*/0.5, random);
}

bool formwork::testing::tileAgain(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOf(entry, random, isStructuredKind);
  if (!spot)
    return false;
  static constexpr int64_t choices[] = {0, 0, 1, 2, 3, 4, 5, 8, 16, 100};
  std::string sizes, loopTypes;
  unsigned number = random.between(1, 3), form = random.below(4);
  for (unsigned i = 0; i < number; ++i) {
    int64_t size = choices[random.below(std::size(choices))];
    if (i + 1 == number && loopTypes.empty() && size == 0)
      size = 2;
    sizes += (i ? ", " : "") + std::to_string(size);
    if (size != 0 && (form < 2 || loopTypes.empty()))
      loopTypes += (", " + anyOp).str();
  }
  unsigned numLoops = StringRef(loopTypes).count(',');
  std::string head =
      "%t:" + std::to_string(numLoops + 1) + " = transform.structured.";
  static constexpr StringLiteral ops[] = {"tile_using_for %h tile_sizes [",
                                          "fuse %h tile_sizes [",
                                          "tile_using_forall %h tile_sizes [",
                                          "tile_using_forall %h num_threads ["};
  return insertStep(spot->place, spot->handle,
                    head + ops[form] + sizes + "] : (" + spot->type + ") -> (" +
                        spot->type + loopTypes + ")",
                    /*share=*/0.6, random);
}

bool formwork::testing::fuseRandom(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOf(
      entry, random, [](StringRef kind) { return kind == "scf.forall"; });
  if (!spot)
    spot = pickSpotOf(entry, random, isLoopKind);
  if (!spot)
    return false;
  Value producer = pickVisible(spot->place, random, isStructuredKind);
  if (!producer || producer == spot->handle)
    return false;
  if (random.chance(0.4)) {
    Operation *get =
        insertProducer(spot->place, producer, random.between(0, 2));
    if (!get)
      return false;
    producer = get->getResult(0);
  }
  std::string type = getTypeText(producer);
  Operation *fuse = insertText(
      spot->place, {producer, spot->handle},
      "%f, %l = transform.structured.fuse_into_containing_op %h into %h1 : (" +
          type + ", " + spot->type + ") -> (" + type + ", " + spot->type + ")");
  if (!fuse)
    return false;
  if (random.chance(0.7))
    rebindBehind(fuse, producer, fuse->getResult(0));
  if (random.chance(0.7))
    rebindBehind(fuse, spot->handle, fuse->getResult(1));
  return true;
}

bool formwork::testing::computedSize(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOf(entry, random, isStructuredKind);
  Value counted =
      spot ? pickVisible(spot->place, random, [](StringRef) { return true; })
           : Value();
  if (!counted)
    return false;
  bool forall = random.chance(0.4);
  static constexpr StringLiteral lists[] = {"[%n]", "[0, %n]", "[%n, 2]"};
  unsigned list = random.below(std::size(lists));
  bool twoLoops = list == 2 && !forall;
  return insertStep(
      spot->place, {spot->handle, counted},
      "%n = transform.num_associations %h1 : (" + getTypeText(counted) +
          ") -> !transform.param<i64>\n%t:" + Twine(twoLoops ? 3 : 2) +
          " = transform.structured." +
          (forall ? "tile_using_forall" : "tile_using_for") +
          " %h tile_sizes " + lists[list] + " : (" + spot->type +
          ", !transform.param<i64>) -> (" + spot->type +
          (twoLoops ? ", !transform.any_op, !transform.any_op)"
                    : ", !transform.any_op)"),
      /*share=*/0.6, random);
}
