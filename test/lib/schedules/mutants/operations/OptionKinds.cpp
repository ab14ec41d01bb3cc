//===- OptionKinds.cpp - Breakage by an option ----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/operations/OptionKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

#include <numeric>

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::bufferizeOtherwise(NamedSequenceOp entry,
                                           Random &random) {
  using bufferization::LayoutMapOption;
  using transform::OneShotBufferizeOp;
  auto step = pickStep<OneShotBufferizeOp>(entry, random);
  if (!step) {
    Value root = getRootAtEnd(entry);
    Operation *end = entry.getBody().front().getTerminator();
    step = dyn_cast_or_null<OneShotBufferizeOp>(
        root ? insertBufferization(entry, end, root, random) : nullptr);
    if (!step)
      return false;
  }
  for (unsigned i = 0, e = random.between(1, 2); i < e; ++i)
    switch (random.below(9)) {
    case 0:
      step.setAllowReturnAllocsFromLoops(!step.getAllowReturnAllocsFromLoops());
      break;
    case 1:
      step.setAllowUnknownOps(!step.getAllowUnknownOps());
      break;
    case 2:
      step.setBufferizeFunctionBoundaries(
          !step.getBufferizeFunctionBoundaries());
      break;
    case 3:
      step.setTestAnalysisOnly(true);
      step.setPrintConflicts(random.chance(0.5));
      break;
    case 4:
      step.setCheckParallelRegions(false);
      break;
    case 5:
      step.setMemcpyOp(pickText(
          random, {"linalg.copy", "memref.copy", "memref.store", "copy"}));
      break;
    case 6: {
      static constexpr LayoutMapOption layouts[] = {
          LayoutMapOption::InferLayoutMap, LayoutMapOption::IdentityLayoutMap,
          LayoutMapOption::FullyDynamicLayoutMap};
      step.setFunctionBoundaryTypeConversion(layouts[random.below(3)]);
      break;
    }
    case 7:
      step.removeFunctionBoundaryTypeConversionAttr();
      break;
    default: {
      // Each function on its own, mostly without its signature.
      Value functions = insertFunctions(step, step.getTarget());
      if (!functions || functions == step.getTarget())
        return false;
      step.getTargetMutable().set(functions);
      if (random.chance(0.6))
        step.setBufferizeFunctionBoundaries(false);
      break;
    }
    }
  return true;
}

bool formwork::testing::otherMemory(NamedSequenceOp entry, Random &random) {
  using transform::BufferizeToAllocationOp;
  auto step = pickStep<BufferizeToAllocationOp>(entry, random);
  if (!step || random.chance(0.2)) {
    std::optional<Spot> spot = pickRecipeSpot(entry, random);
    step = dyn_cast_or_null<BufferizeToAllocationOp>(
        spot ? insertText(spot->place, spot->handle,
                          "%v, %n = transform.structured.bufferize_to_"
                          "allocation %h : " +
                              spot->type)
             : nullptr);
    if (!step)
      return false;
    if (random.chance(0.4) &&
        !insertOneOf(spot->place, step.getNewOps(), random, opSteps))
      return false;
  }
  for (unsigned i = 0, e = random.between(1, 3); i < e; ++i)
    switch (random.below(5)) {
    case 0:
      step->setAttr(
          "memory_space",
          parseAttribute(
              pickText(random, {"3 : i64", "#gpu.address_space<private>",
                                "#gpu.address_space<global>", "\"shared\""}),
              entry.getContext()));
      break;
    case 1:
      step.setMemcpyOp(pickText(
          random, {"linalg.copy", "memref.copy",
                   "bufferization.materialize_in_destination", "none"}));
      break;
    case 2:
      step.setAllocOp(
          pickText(random, {"memref.alloca", "memref.alloc", "gpu.alloc"}));
      break;
    case 3:
      step.setBufferizeDestinationOnly(!step.getBufferizeDestinationOnly());
      break;
    default:
      step.setEmitDealloc(!step.getEmitDealloc());
    }
  return true;
}

bool formwork::testing::transposePad(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOfMatch(entry, random, isContractionKind);
  if (!spot)
    return false;
  Operation *place = spot->place;
  Value op = spot->handle;
  unsigned numLoops = 0;
  if (random.chance(0.75)) {
    StringRef sizes = pickText(random, {"4, 8", "0, 0, 4", "8, 8, 4"});
    numLoops = 1 + sizes.count(',') - sizes.count('0');
    Operation *tile = insertLoops(place, op, "tile_using_for", sizes, numLoops);
    if (!tile)
      return false;
    op = tile->getResult(0);
  }
  StringRef transposes =
      pickText(random, {"", ", transpose_paddings = [[1, 0], [0, 1], [0, 1]]",
                        ", transpose_paddings = [[1, 0]]",
                        ", transpose_paddings = [[0, 1], [1, 0], [1, 0]]",
                        ", transpose_paddings = [[1, 0, 2], [0, 1], [0, 1]]",
                        ", transpose_paddings = [[0, 0], [0, 1], [0, 1]]"});
  Operation *pad = insertSteps(
      place, op,
      ("%p, %d, %c = transform.structured.pad %h {padding_values = [0.0 : f32, "
       "0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = "
       "[1, 1, 0]" +
       transposes + "} : (@) -> (@, @, @)")
          .str());
  if (!pad)
    return false;
  if (random.chance(0.6)) {
    StringRef by =
        pickText(random, {", transpose by [1, 0]", ", transpose by [1, 0]", "",
                          ", transpose by [0, 1]", ", transpose by [1, 0, 2]",
                          ", transpose by [1]"});
    unsigned operand = random.below(2);
    unsigned levels = random.chance(0.7) ? 1 : random.between(1, numLoops + 1);
    std::string text = "%o = transform.get_producer_of_operand %h[" +
                       std::to_string(operand) +
                       "] : (@) -> @\n%k = transform.cast %o : @ to "
                       "!transform.op<\"tensor.pad\">\n"
                       "%n = transform.structured.hoist_pad %k by " +
                       std::to_string(levels) + " loops" + by.str() +
                       " : (!transform.op<\"tensor.pad\">) -> @";
    if (!insertSteps(place, pad->getResult(0), text))
      return false;
  }
  return goOnWith(pad, spot->handle, 0.85, random);
}

/// The order of `number` loops, or what is none.
static Numbers pickOrder(unsigned number, Random &random) {
  Numbers order(number);
  std::iota(order.begin(), order.end(), 0);
  switch (random.below(6)) {
  case 0:
    order.pop_back();
    break;
  case 1:
    order.push_back(number);
    break;
  case 2:
    order.back() = order.front();
    break;
  case 3:
    std::rotate(order.begin(), order.begin() + 1, order.end());
    break;
  default:
    std::reverse(order.begin(), order.end());
  }
  return order;
}

bool formwork::testing::interchangeInFuse(NamedSequenceOp entry,
                                          Random &random) {
  Operation *op = pickStep(getTilings(entry, /*withForall=*/true), random);
  if (!op)
    return false;
  Numbers sizes = getSizes(op);
  bool loopsOnly = random.chance(0.5);
  Numbers order =
      pickOrder(loopsOnly ? countLoops(sizes) : sizes.size(), random);
  bool toForall = isa<transform::TileUsingForallOp>(op);
  std::string flags = "interchange [" + listNumbers(order) + "] " +
                      (toForall ? "{use_forall}" : "");
  return replaceStep(op, insertTiling(op, op->getOperand(0), "fuse",
                                      listNumbers(sizes), op->getResultTypes(),
                                      flags));
}

bool formwork::testing::optionsOfOther(NamedSequenceOp entry, Random &random) {
  auto isCopied = [](NamedAttribute attr) {
    return !llvm::is_contained(
        {"operandSegmentSizes", "resultSegmentSizes", "ops", "target", "value"},
        attr.getName().getValue());
  };
  SmallVector<std::pair<Operation *, Operation *>> found;
  Ops steps = getSteps(entry);
  for (Operation *from : steps)
    for (Operation *to : steps)
      if (from->getName() == to->getName() &&
          from->getNumOperands() == to->getNumOperands() &&
          llvm::any_of(from->getAttrs(), [&](NamedAttribute attr) {
            return isCopied(attr) &&
                   to->getAttr(attr.getName()) != attr.getValue();
          }))
        found.push_back({from, to});
  if (found.empty())
    return false;
  auto [from, to] = found[random.below(found.size())];
  // The whole line is copied, or most options of it.
  bool whole = random.chance(0.5), changed = false;
  for (NamedAttribute attr : from->getAttrs()) {
    if (!isCopied(attr) || (!whole && random.chance(0.4)) ||
        to->getAttr(attr.getName()) == attr.getValue())
      continue;
    to->setAttr(attr.getName(), attr.getValue());
    changed = true;
  }
  return changed;
}
