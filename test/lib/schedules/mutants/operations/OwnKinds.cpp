//===- OwnKinds.cpp - Breakage by the steps of Formwork -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/operations/OwnKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

#include "mlir/Dialect/GPU/TransformOps/GPUTransformOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "transforms/TransformOps/FormworkTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

static bool hasOnlyAnyOps(Operation *step) {
  auto isAny = [](Type type) { return isa<transform::AnyOpType>(type); };
  return step->getNumOperands() == 1 &&
         llvm::all_of(step->getOperandTypes(), isAny) &&
         llvm::all_of(step->getResultTypes(), isAny);
}

/// What does the same as `step` on its target; empty where nothing does. The
/// last result stands for the first of `step`.
static std::string getCounterpart(Operation *step, Random &random) {
  if (auto op = dyn_cast<transform::VectorizeOp>(step))
    return "transform.formwork.vectorize_tiles %h sizes = [" +
           listNumbers(op.getStaticVectorSizes()) + "] : (@) -> ()";
  if (isa<transform::VectorizeChildrenAndApplyPatternsOp>(step))
    return ("%m = transform.structured.match interface{LinalgOp} in %h : (@) "
            "-> @\ntransform.formwork.vectorize_tiles %m sizes = [] : (@) -> "
            "()\n%f = transform.structured.match ops{[\"func.func\"]} in %h : "
            "(@) -> @");
  if (isa<transform::MapForallToBlocks>(step))
    return ("%m = transform.structured.match ops{[\"scf.forall\"]} in %h : (@) "
            "-> @\n" +
            pickText(random,
                     {"%l = transform.formwork.map_forall_to_blocks %m : (@) "
                      "-> @",
                      "%a, %b = transform.split_handle %m {overflow_result = "
                      "1, fail_on_payload_too_small = false} : (@) -> (@, @)\n"
                      "%l = transform.formwork.map_forall_to_blocks %a : (@) "
                      "-> @"}))
        .str();
  if (auto op = dyn_cast<transform::MapNestedForallToThreads>(step))
    return "%l = transform.formwork.distribute_vectors %h threads = [" +
           listNumbers(op.getBlockDims()) + "] : (@) -> @";
  if (auto op = dyn_cast<transform::VectorizeTilesOp>(step)) {
    std::string sizes = listNumbers(op.getStaticSizes());
    if (sizes.empty() || random.chance(0.3))
      return "transform.structured.vectorize %h : @";
    return "transform.structured.vectorize %h vector_sizes [" + sizes + "] : @";
  }
  if (isa<transform::MapForallToBlocksOp>(step))
    return "%f = transform.get_parent_op %h {isolated_from_above, deduplicate} "
           ": (@) -> @\n%l = transform.gpu.map_forall_to_blocks %f "
           "generate_gpu_launch : (@) -> @";
  if (auto op = dyn_cast<transform::DistributeVectorsOp>(step)) {
    Numbers dims(op.getStaticThreads());
    dims.resize(3, 1);
    return "%l = transform.gpu.map_nested_forall_to_threads %h block_dims = [" +
           listNumbers(dims) + "] : (@) -> @";
  }
  return "";
}

/// Steps on a tile and its op.
static constexpr StringRef ownRecipes[] = {
    "transform.formwork.vectorize_tiles %h sizes = [] : (@) -> ()",
    "transform.formwork.vectorize_tiles %h sizes = [8, 8, 8] : (@) -> ()",
    "transform.formwork.vectorize_tiles %h sizes = [0, 0, 8] : (@) -> ()",
    "transform.formwork.vectorize_tiles %h sizes = [8, 16] : (@) -> ()",
    "transform.formwork.vectorize_tiles %h sizes = [4, 4, 0] : (@) -> ()"};

bool formwork::testing::ownSteps(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<Operation *, std::string>> found;
  for (Operation *step : getSteps(entry))
    if (hasOnlyAnyOps(step) && step->getNumResults() <= 1)
      if (std::string text = getCounterpart(step, random); !text.empty())
        found.push_back({step, std::move(text)});
  if (!found.empty() && random.chance(0.8)) {
    auto &[step, text] = found[random.below(found.size())];
    Operation *other = insertSteps(step, step->getOperand(0), text);
    if (!other)
      return false;
    if (step->getNumResults() == 1)
      step->getResult(0).replaceAllUsesWith(other->getNumResults() == 1
                                                ? other->getResult(0)
                                                : step->getOperand(0));
    step->erase();
    return true;
  }
  std::optional<Spot> spot = pickSpotOfMatch(entry, random);
  if (!spot)
    return false;
  Value op = spot->handle;
  Operation *tile = nullptr;
  if (random.chance(0.75)) {
    StringRef sizes = pickText(random, {"8, 8", "8, 16", "8, 8, 8", "4, 4, 4"});
    tile = insertLoops(spot->place, op, "tile_using_for", sizes,
                       1 + sizes.count(','));
    if (!tile)
      return false;
    op = tile->getResult(0);
  }
  if (!insertOneOf(spot->place, op, random, ownRecipes))
    return false;
  // What is vectorized is gone; the loops stay.
  if (tile && random.chance(0.3))
    return insertOneOf(spot->place, tile->getResult(1), random, loopSteps);
  return !tile || goOnWith(tile, spot->handle, 0.15, random);
}

/// Forms that are asked of what a schedule makes, some more often.
static constexpr StringRef forms[] = {"canonical",
                                      "canonical",
                                      "linalg.tiled",
                                      "linalg.static",
                                      "linalg.static",
                                      "linalg.no_unit_dims",
                                      "linalg.on_tensors",
                                      "tensor.slices_merged",
                                      "tensor.empty_folded",
                                      "tensor.bufferizable",
                                      "loops.canonical",
                                      "loops.static",
                                      "loops.normalized",
                                      "loops.perfect_nest",
                                      "loops.invariants_hoisted",
                                      "vector.contracts",
                                      "vector.no_leading_unit_dims",
                                      "bufferized",
                                      "memref.canonical",
                                      "gpu.mapped"};

bool formwork::testing::assertedForm(NamedSequenceOp entry, Random &random) {
  Operation *place = pickStep(getSteps(entry), random);
  if (!place)
    return false;
  StringRef form = random.oneOf(ArrayRef(forms));
  // Some know what the next step wants.
  if (random.chance(0.5)) {
    if (place->getName().getStringRef().contains("vectorize"))
      form = "linalg.static";
    else if (place->getName().getStringRef().contains("one_shot_bufferize"))
      form = "tensor.bufferizable";
    else if (isa<transform::FuseIntoContainingOp>(place))
      form = "linalg.on_tensors";
  }
  Value handle = pickVisible(place, random, [&](StringRef kind) {
    return isScopeKind(kind) || (kind == "scf.for" && form.contains("loops"));
  });
  if (!handle)
    return false;
  if (random.chance(0.5))
    handle = insertFunctions(place, handle);
  bool asserts = random.chance(0.45);
  return handle &&
         insertText(place, handle,
                    Twine("transform.normalform.") +
                        (asserts ? "assert %h is @" : "normalize %h to @") +
                        form + " : " + getTypeText(handle));
}
