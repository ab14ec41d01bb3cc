//===- DeviceKinds.cpp - Breakage by another device -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/operations/DeviceKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;
using transform::TileUsingForallOp;

/// Whether a step is only about blocks, threads and their memory.
static bool isForDevice(Operation *step) {
  StringRef name = step->getName().getStringRef();
  return name.starts_with("transform.gpu.") ||
         name.starts_with("transform.nvgpu.") ||
         name.starts_with("transform.structured.gpu.") ||
         llvm::is_contained({"transform.formwork.distribute_vectors",
                             "transform.formwork.stage",
                             "transform.formwork.contract_on_tensor_cores",
                             "transform.formwork.pipeline_copies",
                             "transform.formwork.use_dynamic_workgroup_memory",
                             "transform.formwork.map_forall_to_blocks"},
                            name);
}

/// What is done to the parallel loops instead.
static constexpr StringRef loweringsOfForall[] = {
    "transform.foreach %l : @ {\n^bb0(%x: @):\n"
    "%p = transform.loop.forall_to_parallel %x : (@) -> @\n}",
    "transform.foreach %l : @ {\n^bb0(%x: @):\n"
    "%p = transform.loop.forall_to_parallel %x : (@) -> @\n"
    "%q = transform.loop.parallel_for_to_nested_fors %p : (@) -> @\n}",
    "transform.foreach %l : @ {\n^bb0(%x: @):\n"
    "%p = transform.loop.forall_to_for %x : (@) -> @\n}",
    "transform.foreach %l : @ {\n^bb0(%x: @):\n"
    "%p, %q = transform.loop.forall_to_for %x : (@) -> (@, @)\n}",
    "transform.annotate %l \"mutant.parallel\" : @"};

bool formwork::testing::portToCpu(NamedSequenceOp entry, Random &random) {
  bool changed = false;
  bool keepsSpaces = random.chance(0.3), forgetsOne = random.chance(0.15);
  for (Operation *step : getSteps(entry)) {
    if (auto tile = dyn_cast<TileUsingForallOp>(step);
        tile && tile.getMapping()) {
      tile.removeMappingAttr();
      changed = true;
    } else if (isa<transform::BufferizeToAllocationOp>(step) && !keepsSpaces &&
               step->hasAttr("memory_space")) {
      step->removeAttr("memory_space");
      changed = true;
    } else if (isForDevice(step)) {
      if (forgetsOne) {
        forgetsOne = false;
        continue;
      }
      // Later steps read its target instead of its results.
      Value target = step->getOperand(0);
      for (Value result : step->getResults())
        if (!result.use_empty()) {
          if (result.getType() != target.getType())
            return false;
          result.replaceAllUsesWith(target);
        }
      step->erase();
      changed = true;
    }
  }
  if (!changed || random.chance(0.35))
    return changed;
  Value root = getRootAtEnd(entry);
  return root &&
         insertSteps(entry.getBody().front().getTerminator(), root,
                     ("%l = transform.structured.match ops{[\"scf.forall\"]} "
                      "in %h : (" +
                      getTypeText(root) + ") -> @\n" +
                      pickText(random, loweringsOfForall))
                         .str());
}

/// The place of a dimension: `#gpu.thread<y>` has `y`.
static std::pair<StringRef, StringRef> splitUnit(StringRef unit) {
  auto [sort, place] = unit.split('<');
  place.consume_back(">");
  return {sort, place};
}

bool formwork::testing::linearIds(NamedSequenceOp entry, Random &random) {
  SmallVector<TileUsingForallOp> found;
  for (Operation *step : getSteps(entry))
    if (auto tile = dyn_cast<TileUsingForallOp>(step))
      if (tile.getMapping() && !tile.getMapping()->empty())
        found.push_back(tile);
  if (found.empty())
    return false;
  if (!random.chance(0.5))
    found = {found[random.below(found.size())]};
  bool fromOutside = random.chance(0.25);
  unsigned start = random.chance(0.1) ? 1 : 0;
  // One dimension may stay as it was, which is a mixture.
  bool mixes = random.chance(0.1);
  MLIRContext *context = entry.getContext();
  for (TileUsingForallOp tile : found) {
    SmallVector<Attribute> mapping;
    unsigned number = tile.getMapping()->size();
    for (auto [i, attr] : llvm::enumerate(tile.getMapping()->getValue())) {
      std::string text;
      llvm::raw_string_ostream(text) << attr;
      auto [sort, place] = splitUnit(text);
      unsigned id = start + (fromOutside ? i : number - 1 - i);
      bool isLinear = place.starts_with("linear_dim_");
      if (isLinear && id > 2)
        return false;
      std::string other = isLinear ? std::string(1, "xyz"[id])
                                   : "linear_dim_" + std::to_string(id);
      Attribute unit =
          mixes && i == 0 && number > 1
              ? attr
              : parseAttribute((sort + "<" + other + ">").str(), context);
      if (!unit)
        return false;
      mapping.push_back(unit);
    }
    tile.setMappingAttr(ArrayAttr::get(context, mapping));
  }
  return true;
}
