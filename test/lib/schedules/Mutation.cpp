//===- Mutation.cpp - Ways to break a schedule ----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/Mutation.h"

#include "test/lib/schedules/AblationKinds.h"
#include "test/lib/schedules/AttributeKinds.h"
#include "test/lib/schedules/BlockKinds.h"
#include "test/lib/schedules/ClosingKinds.h"
#include "test/lib/schedules/CompanionKinds.h"
#include "test/lib/schedules/DelegationKinds.h"
#include "test/lib/schedules/DetourKinds.h"
#include "test/lib/schedules/DimensionKinds.h"
#include "test/lib/schedules/DispatchKinds.h"
#include "test/lib/schedules/FollowUpKinds.h"
#include "test/lib/schedules/FurtherKinds.h"
#include "test/lib/schedules/GroupKinds.h"
#include "test/lib/schedules/HandleKinds.h"
#include "test/lib/schedules/HelperKinds.h"
#include "test/lib/schedules/InsertionKinds.h"
#include "test/lib/schedules/LevelKinds.h"
#include "test/lib/schedules/LookupKinds.h"
#include "test/lib/schedules/LoopKinds.h"
#include "test/lib/schedules/LoweringKinds.h"
#include "test/lib/schedules/MarkKinds.h"
#include "test/lib/schedules/MatchKinds.h"
#include "test/lib/schedules/NestKinds.h"
#include "test/lib/schedules/OrderKinds.h"
#include "test/lib/schedules/PhaseKinds.h"
#include "test/lib/schedules/PipelineKinds.h"
#include "test/lib/schedules/PortingKinds.h"
#include "test/lib/schedules/PremiseKinds.h"
#include "test/lib/schedules/ReachKinds.h"
#include "test/lib/schedules/RecipeKinds.h"
#include "test/lib/schedules/RefactoringKinds.h"
#include "test/lib/schedules/RegionEdit.h"
#include "test/lib/schedules/RegionKinds.h"
#include "test/lib/schedules/RetileKinds.h"
#include "test/lib/schedules/RewireKinds.h"
#include "test/lib/schedules/ReworkKinds.h"
#include "test/lib/schedules/ScheduleEdit.h"
#include "test/lib/schedules/ScopeKinds.h"
#include "test/lib/schedules/SlipKinds.h"
#include "test/lib/schedules/StagingKinds.h"
#include "test/lib/schedules/StructuredKinds.h"
#include "test/lib/schedules/TurnKinds.h"
#include "test/lib/schedules/UnevenKinds.h"
#include "test/lib/schedules/VersionKinds.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// The steps with an operand that they consume, each with it.
static SmallVector<std::pair<Operation *, OpOperand *>>
getConsumptions(NamedSequenceOp entry) {
  SmallVector<std::pair<Operation *, OpOperand *>> found;
  for (Operation *op : getSteps(entry))
    for (OpOperand &operand : op->getOpOperands())
      if (isOpHandle(operand.get()) && consumes(op, operand.get()))
        found.push_back({op, &operand});
  return found;
}

/// Uses a handle again behind the step that consumed it.
static bool reuseConsumed(NamedSequenceOp entry, Random &random) {
  auto found = getConsumptions(entry);
  if (found.empty())
    return false;
  auto [op, operand] = found[random.below(found.size())];
  insertUse(pickPlaceBehind(op, random), operand->get());
  return true;
}

/// Swaps two neighbours of which the second does not need the first.
static bool swapSteps(NamedSequenceOp entry, Random &random) {
  Ops candidates;
  for (Operation *op : getSteps(entry)) {
    Operation *next = op->getNextNode();
    if (next->hasTrait<OpTrait::IsTerminator>() ||
        llvm::any_of(op->getUsers(),
                     [&](Operation *user) { return next->isAncestor(user); }))
      continue;
    candidates.push_back(op);
  }
  Operation *op = pickStep(candidates, random);
  if (op)
    op->moveAfter(op->getNextNode());
  return op;
}

/// Drops a step; what used its results uses another handle of their type.
static bool dropStep(NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getSteps(entry), random);
  if (!op)
    return false;
  Values visible = getVisibleHandles(op);
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    Values fitting;
    auto add = [&](ValueRange values) {
      for (Value value : values)
        if (value.getType() == result.getType())
          fitting.push_back(value);
    };
    add(op->getOperands());
    if (fitting.empty())
      add(visible);
    if (fitting.empty())
      return false;
    result.replaceAllUsesWith(random.oneOf(ArrayRef<Value>(fitting)));
  }
  op->erase();
  return true;
}

/// Matches the same payload again, lets a step consume that, and uses the
/// first handle behind it.
static bool aliasThenConsume(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<Operation *, OpOperand *>> found;
  for (auto [op, operand] : getConsumptions(entry))
    if (operand->get().getDefiningOp<transform::MatchOp>())
      found.push_back({op, operand});
  if (found.empty())
    return false;
  auto [op, operand] = found[random.below(found.size())];
  Operation *match = operand->get().getDefiningOp();
  Operation *alias = OpBuilder(op).clone(*match);
  Value first = operand->get();
  operand->set(alias->getResult(0));
  insertUse(pickPlaceBehind(op, random), first);
  return true;
}

/// Splits a handle into some number of results, and uses the last.
static bool wrongSplit(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpot(entry, random);
  if (!spot)
    return false;
  auto &[op, handle, type] = *spot;
  unsigned number = random.between(1, 3);
  std::string types;
  for (unsigned i = 0; i < number; ++i)
    types += (i ? ", " : "") + type;
  Operation *split =
      insertText(op, handle,
                 "%s:" + Twine(number) + " = transform.split_handle %h : (" +
                     type + ") -> (" + types + ")");
  if (split)
    insertUse(op, split->getResult(number - 1));
  return split;
}

/// Removes or changes the mapping of a tiling.
static bool dropMapping(NamedSequenceOp entry, Random &random) {
  auto tile = pickStep<transform::TileUsingForallOp>(
      entry, random, [](auto step) { return step.getMapping().has_value(); });
  if (!tile)
    return false;
  SmallVector<Attribute> mapping(tile.getMapping()->getValue());
  switch (random.below(3)) {
  case 0:
    tile.removeMappingAttr();
    return true;
  case 1:
    mapping.pop_back();
    break;
  default:
    mapping.back() = mapping.front();
  }
  tile.setMappingAttr(ArrayAttr::get(entry.getContext(), mapping));
  return true;
}

/// Tiles one more dimension: of a matmul, the reduction.
static bool tileReduction(NamedSequenceOp entry, Random &random) {
  Ops found;
  for (Operation *op : getSteps(entry))
    if (isa<transform::TileUsingForallOp, transform::TileUsingForOp>(op))
      found.push_back(op);
  Operation *op = pickStep(found, random);
  if (!op)
    return false;
  if (auto tile = dyn_cast<transform::TileUsingForallOp>(op)) {
    SmallVector<int64_t> sizes(tile.getStaticTileSizes());
    sizes.push_back(random.between(1, 4));
    tile.setStaticTileSizes(sizes);
    return true;
  }
  auto tile = cast<transform::TileUsingForOp>(op);
  SmallVector<int64_t> sizes(tile.getStaticSizes());
  SmallVector<bool> scalable(tile.getScalableSizes());
  sizes.push_back(random.between(0, 4));
  scalable.push_back(false);
  tile.setStaticSizes(sizes);
  tile.setScalableSizes(scalable);
  return true;
}

/// Hands a step another handle of the same type.
static bool wrongHandle(NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getSteps(entry), random);
  if (!op || op->getNumOperands() == 0)
    return false;
  OpOperand &operand = op->getOpOperand(random.below(op->getNumOperands()));
  Values fitting;
  for (Value value : getVisibleHandles(op))
    if (value.getType() == operand.get().getType() && value != operand.get())
      fitting.push_back(value);
  if (fitting.empty())
    return false;
  operand.set(random.oneOf(ArrayRef<Value>(fitting)));
  return true;
}

static bool duplicateStep(NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getSteps(entry), random);
  if (op)
    OpBuilder(op->getNextNode()).clone(*op);
  return op;
}

/// Changes one number of a step.
static bool changeNumber(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<Operation *, NamedAttribute>> found;
  for (Operation *op : getSteps(entry))
    for (NamedAttribute attr : op->getAttrs())
      if (auto array = dyn_cast<DenseI64ArrayAttr>(attr.getValue()))
        if (!array.empty())
          found.push_back({op, attr});
  if (found.empty())
    return false;
  auto [op, attr] = found[random.below(found.size())];
  SmallVector<int64_t> numbers(
      cast<DenseI64ArrayAttr>(attr.getValue()).asArrayRef());
  static constexpr int64_t choices[] = {0, 1, 2, 3, 5, 7, 8, 13, 16, 32, 2048};
  numbers[random.below(numbers.size())] = choices[random.below(11)];
  op->setAttr(attr.getName(),
              DenseI64ArrayAttr::get(op->getContext(), numbers));
  return true;
}

/// Consumes entries of a handle in a loop over them.
static bool consumeInForeach(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpot(entry, random);
  if (!spot)
    return false;
  auto &[op, handle, type] = *spot;
  Operation *loop = insertText(op, handle,
                               "transform.foreach %h : " + type +
                                   " {\n^bb0(%x: " + type + "):\n}");
  if (!loop)
    return false;
  Block &body = loop->getRegion(0).front();
  Value consumed = random.chance(0.7) ? Value(body.getArgument(0)) : handle;
  // What the body sees of the kind is what the handle has.
  Operation *consumer = insertConsumer(body.getTerminator(), handle, random);
  if (!consumer)
    return false;
  consumer->replaceUsesOfWith(handle, consumed);
  if (random.chance(0.5))
    insertUse(op, handle);
  return true;
}

/// Consumes a handle in a sequence that is included.
static bool consumeInInclude(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpot(entry, random);
  if (!spot)
    return false;
  auto &[op, handle, type] = *spot;
  OpBuilder builder(entry);
  OperationState state(entry.getLoc(), NamedSequenceOp::getOperationName());
  state.addAttribute("sym_name", builder.getStringAttr("mutant_consumes"));
  state.addAttribute("function_type", TypeAttr::get(builder.getFunctionType(
                                          handle.getType(), {})));
  Attribute consumed = builder.getDictionaryAttr(
      builder.getNamedAttr(transform::TransformDialect::kArgConsumedAttrName,
                           builder.getUnitAttr()));
  state.addAttribute("arg_attrs", builder.getArrayAttr(consumed));
  Region *region = state.addRegion();
  Block *body = new Block();
  region->push_back(body);
  body->addArgument(handle.getType(), entry.getLoc());
  auto callee = cast<NamedSequenceOp>(builder.create(state));
  builder.setInsertionPointToEnd(body);
  Operation *end = transform::YieldOp::create(builder, entry.getLoc());
  Operation *consumer = insertConsumer(end, handle, random);
  if (!consumer) {
    callee.erase();
    return false;
  }
  consumer->replaceUsesOfWith(handle, body->getArgument(0));
  // Made by hand: the parser of a detached sequence does not see the callee.
  insertInclude(op, "mutant_consumes", handle, {}, /*suppress=*/false);
  if (random.chance(0.5))
    insertUse(op, handle);
  return true;
}

/// Consumes the function around the payload of a handle.
static bool consumeParent(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpot(entry, random);
  if (!spot)
    return false;
  auto &[op, handle, type] = *spot;
  Operation *parent = insertText(
      op, handle,
      "%p = transform.get_parent_op %h {isolated_from_above, deduplicate} : "
      "(" +
          type + ") -> !transform.any_op");
  if (!parent || !insertConsumer(op, parent->getResult(0), random))
    return false;
  if (random.chance(0.5))
    insertUse(op, handle);
  return true;
}

/// Gives a result a type that names a kind.
static bool retype(NamedSequenceOp entry, Random &random) {
  Values found;
  for (Operation *op : getSteps(entry))
    for (Value result : op->getResults())
      if (isa<transform::AnyOpType>(result.getType()))
        found.push_back(result);
  if (found.empty())
    return false;
  static constexpr StringLiteral kinds[] = {
      "linalg.matmul", "linalg.fill", "func.func", "scf.for", "scf.forall"};
  Value value = random.oneOf(ArrayRef<Value>(found));
  value.setType(transform::OperationType::get(entry.getContext(),
                                              kinds[random.below(5)]));
  return true;
}

/// Matches another kind.
static bool wrongMatch(NamedSequenceOp entry, Random &random) {
  auto match = pickStep<transform::MatchOp>(
      entry, random, [](auto step) { return step.getOps().has_value(); });
  if (!match)
    return false;
  static constexpr StringLiteral kinds[] = {
      "linalg.matmul", "linalg.fill",  "func.func",   "scf.for",
      "scf.forall",    "tensor.empty", "linalg.copy", "linalg.generic"};
  match.setOpsAttr(Builder(entry.getContext())
                       .getStrArrayAttr({StringRef(kinds[random.below(8)])}));
  return true;
}

ArrayRef<MutationKind> formwork::testing::getMutationKinds() {
  static const MutationKind kinds[] = {
      {"reuse-consumed", false, reuseConsumed},
      {"swap-steps", false, swapSteps},
      {"drop-step", false, dropStep},
      {"alias-then-consume", false, aliasThenConsume},
      {"wrong-split", false, wrongSplit},
      {"drop-mapping", false, dropMapping},
      {"tile-reduction", false, tileReduction},
      {"wrong-handle", false, wrongHandle},
      {"duplicate-step", false, duplicateStep},
      {"change-number", false, changeNumber},
      {"consume-in-foreach", false, consumeInForeach},
      {"consume-in-include", false, consumeInInclude},
      {"consume-parent", false, consumeParent},
      {"retype", false, retype},
      {"wrong-match", false, wrongMatch},
      {"merge-twice", false, mergeTwice},
      {"stale-value", false, staleValue},
      {"stale-inside", false, staleInside},
      {"consume-a-cast", false, consumeCast},
      {"consume-in-region", false, consumeInRegion},
      {"move-far", false, moveFar},
      {"drop-attribute", false, dropAttribute},
      {"swap-results", false, swapResults},
      {"swap-operands", false, swapOperands},
      {"two-parameters", false, twoParameters},
      {"bad-interchange", false, badInterchange},
      {"clean-up-between", false, cleanUpBetween},
      {"pass-between", false, passBetween},
      {"lower-early", false, lowerEarly},
      {"loop-step", false, loopStep},
      {"tile-again", false, tileAgain},
      {"fuse-random", false, fuseRandom},
      {"computed-size", false, computedSize},
      {"wrap-in-foreach", false, wrapInForeach},
      {"wrap-in-sequence", false, wrapInSequence},
      {"wrap-in-alternatives", false, wrapInAlternatives},
      {"outline-steps", false, outlineSteps},
      {"hoist-step", false, hoistStep},
      {"copy-steps", false, copySteps},
      {"flip-failures", false, flipFailures},
      {"swap-uses", false, swapUses},
      {"sibling-result", false, siblingResult},
      {"match-elsewhere", false, matchElsewhere},
      {"widen-match", false, widenMatch},
      {"neighbour-op", false, neighbourOp},
      {"other-parent", false, otherParent},
      {"mix-handles", false, mixHandles},
      {"cast-through", false, castThrough},
      {"select-some", false, selectSome},
      {"edit-array", false, editArray},
      {"change-scalar", false, changeScalar},
      {"add-flag", false, addFlag},
      {"edit-patterns", false, editPatterns},
      {"pad-operands", false, padOperands},
      {"hoist-pad", false, hoistPad},
      {"split-dimension", false, splitDimension},
      {"split-reduction", false, splitReduction},
      {"pack-op", false, packOp},
      {"multi-sizes", false, multiSizes},
      {"interchange-loops", false, interchangeLoops},
      {"vector-sizes", false, vectorSizes},
      {"allocate-early", false, allocateEarly},
      {"param-per-op", false, paramPerOp},
      {"threads-for-sizes", false, threadsForSizes},
      {"other-loop", false, otherLoop},
      {"lower-forall", false, lowerForall},
      {"merge-loops", false, mergeLoops},
      {"other-mapping", false, otherMapping},
      {"rematch", false, rematch},
      {"filter-match", false, filterMatch},
      {"mark-then-match", false, markThenMatch},
      {"empty-match", false, emptyMatch},
      {"expect-shape", false, expectShape},
      {"act-on-matches", false, actOnMatches},
      {"through-values", false, throughValues},
      {"outer-in-foreach", false, outerInForeach},
      {"parent-in-foreach", false, parentInForeach},
      {"zip-foreach", false, zipForeach},
      {"rest-per-function", false, restPerFunction},
      {"yield-other", false, yieldOther},
      {"argument-twice", false, argumentTwice},
      {"tune-regions", false, tuneRegions},
      {"lowering-tail", false, loweringTail},
      {"regroup-patterns", false, regroupPatterns},
      {"drop-clean-ups", false, dropCleanUps},
      {"pass-elsewhere", false, passElsewhere},
      {"old-name", false, oldName},
      {"loop-by-parent", false, loopByParent},
      {"pick-of-match", false, pickOfMatch},
      {"other-mark", false, otherMark},
      {"broad-mark", false, broadMark},
      {"print-handles", false, printHandles},
      {"swap-tilings", false, swapTilings},
      {"merge-tilings", false, mergeTilings},
      {"tile-in-two", false, tileInTwo},
      {"fuse-for-tile", false, fuseForTile},
      {"make-scalable", false, makeScalable},
      {"share-parameter", false, shareParameter},
      {"knob-size", false, knobSize},
      {"continuous-sizes", false, continuousSizes},
      {"fuse-chain", false, fuseChain},
      {"fuse-epilogue", false, fuseEpilogue},
      {"pack-transpose", false, packTranspose},
      {"pad-to-sizes", false, padToSizes},
      {"rewrite-before", false, rewriteBefore},
      {"vectorize-idiom", false, vectorizeIdiom},
      {"peel-then-unroll", false, peelThenUnroll},
      {"inline-helper", false, inlineHelper},
      {"call-again", false, callAgain},
      {"helper-roles", false, helperRoles},
      {"collect-matching", false, collectMatching},
      {"shadowed-matcher", false, shadowedMatcher},
      {"each-loop", false, eachLoop},
      {"clean-up-level", false, cleanUpLevel},
      {"normalize-first", false, normalizeFirst},
      {"hoist-out", false, hoistOut},
      {"map-to-gpu", false, mapToGpu},
      {"alloc-tensors", false, allocTensors},
      {"convert-patterns", false, convertPatterns},
      {"gather-marks", false, gatherMarks},
      {"loop-by-mark", false, loopByMark},
      {"number-mark", false, numberMark},
      {"misspelt-name", false, misspeltName},
      {"fresh-matches", false, freshMatches},
      {"joint-match", false, jointMatch},
      {"skip-lookup", false, skipLookup},
      {"tiled-by-match", false, tiledByMatch},
      {"like-named", false, likeNamed},
      {"off-by-one", false, offByOne},
      {"cut-tail", false, cutTail},
      {"drop-branch", false, dropBranch},
      {"swap-blocks", false, swapBlocks},
      {"recipe-for-other", false, recipeForOther},
      {"edit-helper", false, editHelper},
      {"overstate-consume", false, overstateConsume},
      {"exchange-nest", false, exchangeNest},
      {"unroll-nest", false, unrollNest},
      {"scale-sizes", false, scaleSizes},
      {"dim-as-size", false, dimAsSize},
      {"op-as-size", false, opAsSize},
      {"outline-kernel", false, outlineKernel},
      {"unroll-then-vectorize", false, unrollThenVectorize},
      {"promote-operands", false, promoteOperands},
      {"buffer-steps", false, bufferSteps},
      {"pack-whole", false, packWhole},
      {"vectorize-children", false, vectorizeChildren},
      {"lower-vectors", false, lowerVectors},
      {"clean-after-each", false, cleanAfterEach},
      {"pass-for-patterns", false, passForPatterns},
      {"there-and-back", false, thereAndBack},
      {"merge-and-split", false, mergeAndSplit},
      {"replicate-handle", false, replicateHandle},
      {"use-unused", false, useUnused},
      {"half-rebind", false, halfRebind},
      {"precise-types", false, preciseTypes},
      {"each-parent", false, eachParent},
      {"group-steps", false, groupSteps},
      {"depth-first", false, depthFirst},
      {"gather-matches", false, gatherMatches},
      {"run-twice", false, runTwice},
      {"share-equal", false, shareEqual},
      {"rest-per-op", false, restPerOp},
      {"in-or-out", false, inOrOut},
      {"flip-marks", false, flipMarks},
      {"drop-dimension", false, dropDimension},
      {"add-dimension", false, addDimension},
      {"borrow-size", false, borrowSize},
      {"tile-deep", false, tileDeep},
      {"half-renamed", false, halfRenamed},
      {"reorder-parameters", false, reorderParameters},
      {"repeat-per-op", false, repeatPerOp},
      {"rematch-some", false, rematchSome},
      {"over-clean-up", false, overCleanUp},
      {"collect-from-loop", false, collectFromLoop},
      {"fall-back", false, fallBack},
      {"two-ways-to-loop", false, twoWaysToLoop},
      {"enabler-behind", false, enablerBehind},
      {"uneven-tile", false, unevenTile},
      {"tile-together", false, tileTogether},
      {"nested-foralls", false, nestedForalls},
      {"count-after", false, countAfter},
      {"loops-after-cleaning", false, loopsAfterCleaning},
      {"fuse-into-two", false, fuseIntoTwo},
      {"fuse-then-producer", false, fuseThenProducer},
      {"tile-producer", false, tileProducer},
      {"fuse-late", false, fuseLate},
      {"fuse-merged", false, fuseMerged},
      {"across-the-loop", false, acrossTheLoop},
      {"forgotten-result", false, forgottenResult},
      {"part-of-merge", false, partOfMerge},
      {"first-and-rest", false, firstAndRest},
      {"earlier-in-chain", false, earlierInChain},
      {"swap-matches", false, swapMatches},
      {"try-optional", false, tryOptional},
      {"typed-helper", false, typedHelper},
      {"guard-by-shape", false, guardByShape},
      {"packed-sizes", false, packedSizes},
      {"vectorize-with-producer", false, vectorizeWithProducer},
      {"find-vectors", false, findVectors},
      {"slices-of-tile", false, slicesOfTile},
      {"jam-loops", false, jamLoops},
      {"shared-by-clean-up", false, sharedByCleanUp},
      {"use-the-pad", false, useThePad},
      {"loops-of-op", false, loopsOfOp},
      {"remainder-apart", false, remainderApart},
      {"bounds-of-tile", false, boundsOfTile},
      {"odd-sizes", false, oddSizes},
      {"stage-copies", false, stageCopies},
      {"fuse-tiled-siblings", false, fuseTiledSiblings},
      {"loops-of-nest", false, loopsOfNest},
      {"all-in-loop", false, allInLoop},
      {"retarget-fusion", false, retargetFusion},
      {"dispatch-step", false, dispatchStep},
      {"sized-helper", false, sizedHelper},
      {"size-per-turn", false, sizePerTurn},
      {"clean-per-op", false, cleanPerOp},
      {"half-extracted", false, halfExtracted},
      {"into-helper", false, intoHelper},
      {"step-for-both", false, stepForBoth},
      {"postpone-branch", false, postponeBranch},
      {"skip-head", false, skipHead},
      {"second-phase", false, secondPhase},
      {"both-versions", false, bothVersions},
      {"permute-dimensions", false, permuteDimensions},
      {"reorder-iterators", false, reorderIterators},
      {"down-the-levels", false, downTheLevels},
      {"trace-steps", false, traceSteps},
      {"nested-turns", false, nestedTurns},
      {"function-scope", true, functionScope},
      {"root-by-parent", true, rootByParent},
      {"found-by-neighbour", true, foundByNeighbour},
      {"untile", true, untile},
      {"prune-unread", true, pruneUnread},
      {"layered-helpers", true, layeredHelpers},
      {"helper-finds-it", true, helperFindsIt},
      {"retune-sizes", true, retuneSizes},
      {"kindred-step", true, kindredStep},
      {"last-branch-first", true, lastBranchFirst},
      {"gather-handles", true, gatherHandles},
      {"finish-the-rest", true, finishTheRest},
  };
  return kinds;
}
