//===- LoopKinds.cpp - Breakage of the loops that tiling makes ------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/loops/LoopKinds.h"

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Whether all that `tile` is given is in its attributes.
static bool isStatic(transform::TileUsingForallOp tile) {
  return tile->getNumOperands() == 1;
}

bool formwork::testing::threadsForSizes(NamedSequenceOp entry, Random &random) {
  auto tile = pickStep<transform::TileUsingForallOp>(entry, random, isStatic);
  if (!tile)
    return false;
  SmallVector<int64_t> sizes(tile.getStaticTileSizes());
  SmallVector<int64_t> threads(tile.getStaticNumThreads());
  tile.setStaticTileSizes(threads);
  tile.setStaticNumThreads(sizes);
  return sizes != threads;
}

/// Lets all that reads `old` read `value`, if the types let it.
static bool replaceUses(Value old, Value value) {
  if (old.use_empty())
    return true;
  if (old.getType() != value.getType())
    return false;
  old.replaceAllUsesWith(value);
  return true;
}

bool formwork::testing::otherLoop(NamedSequenceOp entry, Random &random) {
  Ops found;
  for (Operation *op : getSteps(entry)) {
    auto tile = dyn_cast<transform::TileUsingForallOp>(op);
    if ((tile && isStatic(tile)) ||
        (isa<transform::TileUsingForOp>(op) && op->getNumOperands() == 1 &&
         op->getNumResults() >= 2))
      found.push_back(op);
  }
  Operation *op = pickStep(found, random);
  if (!op)
    return false;
  std::string type = getTypeText(op->getOperand(0));
  std::string tiled = getTypeText(op->getResult(0));
  Operation *made = nullptr;
  if (auto tile = dyn_cast<transform::TileUsingForOp>(op)) {
    made = insertText(op, op->getOperand(0),
                      "%t, %l = transform.structured.tile_using_forall %h "
                      "tile_sizes [" +
                          listNumbers(tile.getStaticSizes()) + "] : (" + type +
                          ") -> (" + tiled + ", " +
                          getTypeText(op->getResult(1)) + ")");
  } else {
    auto forall = cast<transform::TileUsingForallOp>(op);
    ArrayRef<int64_t> sizes = forall.getStaticTileSizes().empty()
                                  ? forall.getStaticNumThreads()
                                  : forall.getStaticTileSizes();
    unsigned loops = sizes.size() - llvm::count(sizes, 0);
    if (loops == 0)
      return false;
    std::string types = tiled;
    for (unsigned i = 0; i < loops; ++i)
      types += ", " + getTypeText(op->getResult(1));
    made = insertText(op, op->getOperand(0),
                      "%t:" + std::to_string(loops + 1) +
                          " = transform.structured.tile_using_for %h "
                          "tile_sizes [" +
                          listNumbers(sizes) + "] : (" + type + ") -> (" +
                          types + ")");
  }
  if (!made)
    return false;
  for (auto [number, result] : llvm::enumerate(op->getResults()))
    if (!replaceUses(result, made->getResult(std::min<unsigned>(
                                 number, made->getNumResults() - 1))))
      return false;
  op->erase();
  return true;
}

/// How many loops `handle` most likely has an scf.forall of.
static unsigned guessNumLoops(Value handle) {
  auto tile = handle.getDefiningOp<transform::TileUsingForallOp>();
  if (!tile)
    return 1;
  size_t number = std::max(tile.getStaticTileSizes().size(),
                           tile.getStaticNumThreads().size());
  return std::max<unsigned>(1, number);
}

bool formwork::testing::lowerForall(NamedSequenceOp entry, Random &random) {
  auto isForall = [](StringRef kind) { return kind == "scf.forall"; };
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isForall);
  if (!spot)
    return false;
  bool parallel = random.chance(0.3);
  unsigned number = parallel ? 1 : guessNumLoops(spot->handle);
  if (random.chance(0.25))
    number = 3 - std::min(number, 2u);
  std::string types = spot->type;
  for (unsigned i = 1; i < number; ++i)
    types += ", " + spot->type;
  Operation *lower = insertText(
      spot->place, spot->handle,
      "%l:" + std::to_string(number) + " = transform.loop.forall_to_" +
          (parallel ? "parallel" : "for") + " %h : (" + spot->type + ") -> (" +
          types + ")");
  return goOnWith(lower, spot->handle, 0.6, random);
}

bool formwork::testing::mergeLoops(NamedSequenceOp entry, Random &random) {
  if (random.chance(0.3)) {
    // Two loops that are not known to be beside each other.
    std::optional<Spot> spot = pickSpotToAppend(entry, random, isLoopKind);
    Value other = spot ? pickVisible(spot->place, random, isLoopKind) : Value();
    if (!other || other.getType() != spot->handle.getType())
      return false;
    Operation *fuse =
        insertText(spot->place, {spot->handle, other},
                   "%f = transform.loop.fuse_sibling %h into %h1 : (" +
                       spot->type + ", " + spot->type + ") -> " + spot->type);
    if (!fuse)
      return false;
    if (random.chance(0.7))
      rebindToResult(fuse, spot->handle);
    if (random.chance(0.7))
      rebindToResult(fuse, other);
    return true;
  }
  // A nest, of which one loop is thought to stand for all.
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  std::string sizes = pickNumbers(random, 2, {1, 2, 4});
  StringRef loop = random.chance(0.8) ? "%a" : "%b";
  StringRef then = pickText(
      random,
      {"", "", "\ntransform.loop.unroll %c {factor = 2} : !transform.any_op",
       "\ntransform.loop.promote_if_one_iteration %b : "
       "!transform.any_op",
       "\n%i = transform.structured.generalize %t : "
       "(!transform.any_op) -> !transform.any_op"});
  return insertText(
      spot->place, spot->handle,
      "%t, %a, %b = transform.structured.tile_using_for %h tile_sizes [" +
          sizes + "] : (" + spot->type +
          ") -> (!transform.any_op, !transform.any_op, !transform.any_op)\n"
          "%c = transform.loop.coalesce " +
          loop + " : (!transform.any_op) -> (!transform.any_op)" + then);
}

bool formwork::testing::otherMapping(NamedSequenceOp entry, Random &random) {
  auto tile = pickStep<transform::TileUsingForallOp>(entry, random, isStatic);
  if (!tile)
    return false;
  unsigned number = guessNumLoops(tile.getForallOp());
  if (number > 3)
    return false;
  MLIRContext *context = entry.getContext();
  unsigned unit = random.below(4);
  bool linear = random.chance(0.25), reversed = random.chance(0.5);
  SmallVector<Attribute> mapping;
  for (unsigned i = 0; i < number; ++i) {
    unsigned which = reversed ? number - 1 - i : i;
    auto id = static_cast<gpu::MappingId>(
        which + static_cast<unsigned>(linear ? gpu::MappingId::LinearDim0
                                             : gpu::MappingId::DimX));
    if (unit == 0)
      mapping.push_back(gpu::GPUBlockMappingAttr::get(context, id));
    else if (unit == 1)
      mapping.push_back(gpu::GPUWarpMappingAttr::get(context, id));
    else
      mapping.push_back(gpu::GPUThreadMappingAttr::get(context, id));
  }
  auto attr = ArrayAttr::get(context, mapping);
  if (tile.getMappingAttr() == attr)
    return false;
  tile.setMappingAttr(attr);
  return true;
}
