//===- MappingKinds.cpp - Breakage by units and parameters ----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/loops/MappingKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

#include "mlir/Dialect/GPU/TransformOps/GPUTransformOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::turnMapping(NamedSequenceOp entry, Random &random) {
  bool rotates = random.chance(0.4), all = random.chance(0.6);
  bool withThreads = random.chance(0.5), changed = false;
  auto turn = [&](auto &list) {
    if (rotates)
      std::rotate(list.begin(), list.begin() + 1, list.end());
    else
      std::reverse(list.begin(), list.end());
  };
  for (Operation *step : getSteps(entry)) {
    auto tile = dyn_cast<transform::TileUsingForallOp>(step);
    if (!tile || !tile.getMapping() || tile.getMapping()->size() < 2 ||
        (!all && random.chance(0.5)))
      continue;
    SmallVector<Attribute> mapping(tile.getMapping()->getValue());
    turn(mapping);
    tile.setMappingAttr(ArrayAttr::get(entry.getContext(), mapping));
    changed = true;
  }
  if (changed && withThreads)
    for (Operation *step : getSteps(entry))
      if (auto map = dyn_cast<transform::MapNestedForallToThreads>(step)) {
        Numbers dims(map.getBlockDims());
        if (dims.size() < 2)
          continue;
        // The first two change places; the third is mostly one.
        std::swap(dims[0], dims[1]);
        map.setBlockDims(dims);
      }
  return changed;
}

/// Values of parameters that people mistake for a size.
static constexpr StringRef values[] = {"8.0 : f32 -> !transform.param<f32>",
                                       "4 : i8 -> !transform.param<i8>",
                                       "4 : i32 -> !transform.param<i64>",
                                       "4 : index -> !transform.any_param",
                                       "-4 : i64 -> !transform.param<i64>",
                                       "0 : i64 -> !transform.param<i64>",
                                       "4 : i64 -> !transform.any_param",
                                       "8 : i32 -> !transform.any_param",
                                       "8 : i16 -> !transform.param<i16>",
                                       "true -> !transform.any_param",
                                       "[4, 8] -> !transform.any_param",
                                       "4096 : i64 -> !transform.param<i64>"};

bool formwork::testing::typedParameter(NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getTilings(entry, /*withForall=*/true), random);
  if (!op)
    return false;
  Operation *constant = insertText(
      op, {},
      ("%p = transform.param.constant " + pickText(random, values)).str());
  if (!constant)
    return false;
  Numbers sizes = getSizes(op);
  unsigned which = random.below(sizes.size());
  std::string list;
  for (auto [i, size] : llvm::enumerate(sizes))
    list += (i ? ", " : "") + (i == which ? "%h1" : std::to_string(size));
  if (sizes[which] == 0)
    return false;
  bool isForall = isa<transform::TileUsingForallOp>(op);
  return replaceStep(
      op, insertTiling(op, op->getOperand(0),
                       isForall ? "tile_using_forall" : "tile_using_for", list,
                       op->getResultTypes(), getMappingText(op),
                       constant->getResult(0)));
}

bool formwork::testing::parallelThenFor(NamedSequenceOp entry, Random &random) {
  if (random.chance(0.7)) {
    std::optional<Spot> spot = pickSpotOfMatch(entry, random);
    StringRef sizes = pickText(random, {"4", "4, 8", "0, 8", "8, 8"});
    Operation *tile = spot ? insertLoops(spot->place, spot->handle,
                                         "tile_using_forall", sizes)
                           : nullptr;
    if (!tile)
      return false;
    rebindToResult(tile, spot->handle);
  }
  // A loop on tensors has results, which a parallel one has not.
  Value root = bufferizeAtEnd(entry, 0.6, random);
  Operation *end = entry.getBody().front().getTerminator();
  if (!root)
    return false;
  Value loops = insertMatch(end, root, "ops{[\"scf.forall\"]}");
  if (!loops)
    return false;
  if (random.chance(0.4)) {
    Operation *split =
        insertSteps(end, loops,
                    "%a, %b = transform.split_handle %h {overflow_result = 1, "
                    "fail_on_payload_too_small = false} : (@) -> (@, @)");
    if (!split)
      return false;
    loops = split->getResult(0);
  }
  Operation *parallel = insertSteps(
      end, loops, "%p = transform.loop.forall_to_parallel %h : (@) -> @");
  if (!parallel)
    return false;
  Value nest = random.chance(0.85) ? parallel->getResult(0) : loops;
  unsigned number = random.between(1, 3);
  std::string types = "@";
  for (unsigned i = 1; i < number; ++i)
    types += ", @";
  Operation *lower = insertSteps(
      end, nest,
      "%l:" + std::to_string(number) +
          " = transform.loop.parallel_for_to_nested_fors %h : (@) -> (" +
          types + ")");
  if (!lower)
    return false;
  if (random.chance(0.6)) {
    Value one = lower->getResult(random.below(number));
    return insertOneOf(end, one, random, loopSteps);
  }
  return true;
}
