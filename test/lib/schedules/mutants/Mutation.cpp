//===- Mutation.cpp - Ways to break a schedule ----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/Mutation.h"

#include "test/lib/schedules/mutants/control/DelegationKinds.h"
#include "test/lib/schedules/mutants/control/DispatchKinds.h"
#include "test/lib/schedules/mutants/control/ExtractionKinds.h"
#include "test/lib/schedules/mutants/control/HelperKinds.h"
#include "test/lib/schedules/mutants/control/LibraryKinds.h"
#include "test/lib/schedules/mutants/control/PassageKinds.h"
#include "test/lib/schedules/mutants/control/RefactoringKinds.h"
#include "test/lib/schedules/mutants/control/RegionKinds.h"
#include "test/lib/schedules/mutants/control/ReturnKinds.h"
#include "test/lib/schedules/mutants/control/ScopeKinds.h"
#include "test/lib/schedules/mutants/control/SharingKinds.h"
#include "test/lib/schedules/mutants/control/TurnKinds.h"
#include "test/lib/schedules/mutants/control/VariantKinds.h"
#include "test/lib/schedules/mutants/handles/ConsumptionKinds.h"
#include "test/lib/schedules/mutants/handles/DetourKinds.h"
#include "test/lib/schedules/mutants/handles/FunctionKinds.h"
#include "test/lib/schedules/mutants/handles/HandleKinds.h"
#include "test/lib/schedules/mutants/handles/LookupKinds.h"
#include "test/lib/schedules/mutants/handles/MarkKinds.h"
#include "test/lib/schedules/mutants/handles/MatchKinds.h"
#include "test/lib/schedules/mutants/handles/NotationKinds.h"
#include "test/lib/schedules/mutants/handles/PartKinds.h"
#include "test/lib/schedules/mutants/handles/QueryKinds.h"
#include "test/lib/schedules/mutants/handles/ReachKinds.h"
#include "test/lib/schedules/mutants/handles/RewireKinds.h"
#include "test/lib/schedules/mutants/handles/SeveralKinds.h"
#include "test/lib/schedules/mutants/handles/WayKinds.h"
#include "test/lib/schedules/mutants/loops/DimensionKinds.h"
#include "test/lib/schedules/mutants/loops/FusionKinds.h"
#include "test/lib/schedules/mutants/loops/LevelKinds.h"
#include "test/lib/schedules/mutants/loops/LoopKinds.h"
#include "test/lib/schedules/mutants/loops/MappingKinds.h"
#include "test/lib/schedules/mutants/loops/NestKinds.h"
#include "test/lib/schedules/mutants/loops/RetileKinds.h"
#include "test/lib/schedules/mutants/loops/SizeKinds.h"
#include "test/lib/schedules/mutants/loops/TripKinds.h"
#include "test/lib/schedules/mutants/loops/UnevenKinds.h"
#include "test/lib/schedules/mutants/operations/AttributeKinds.h"
#include "test/lib/schedules/mutants/operations/DeviceKinds.h"
#include "test/lib/schedules/mutants/operations/LoweringKinds.h"
#include "test/lib/schedules/mutants/operations/OptionKinds.h"
#include "test/lib/schedules/mutants/operations/OwnKinds.h"
#include "test/lib/schedules/mutants/operations/ParameterKinds.h"
#include "test/lib/schedules/mutants/operations/PassKinds.h"
#include "test/lib/schedules/mutants/operations/PipelineKinds.h"
#include "test/lib/schedules/mutants/operations/RewriteKinds.h"
#include "test/lib/schedules/mutants/operations/StructuredKinds.h"
#include "test/lib/schedules/mutants/operations/TargetKinds.h"
#include "test/lib/schedules/mutants/order/BlockKinds.h"
#include "test/lib/schedules/mutants/order/ClosingKinds.h"
#include "test/lib/schedules/mutants/order/LateKinds.h"
#include "test/lib/schedules/mutants/order/OrderKinds.h"
#include "test/lib/schedules/mutants/order/PhaseKinds.h"
#include "test/lib/schedules/mutants/order/PortingKinds.h"
#include "test/lib/schedules/mutants/order/ReworkKinds.h"
#include "test/lib/schedules/mutants/order/StagingKinds.h"
#include "test/lib/schedules/mutants/order/SweepKinds.h"
#include "test/lib/schedules/mutants/order/VersionKinds.h"
#include "test/lib/schedules/mutants/steps/AblationKinds.h"
#include "test/lib/schedules/mutants/steps/CompanionKinds.h"
#include "test/lib/schedules/mutants/steps/FollowUpKinds.h"
#include "test/lib/schedules/mutants/steps/GroupKinds.h"
#include "test/lib/schedules/mutants/steps/InsertionKinds.h"
#include "test/lib/schedules/mutants/steps/PartialKinds.h"
#include "test/lib/schedules/mutants/steps/PremiseKinds.h"
#include "test/lib/schedules/mutants/steps/RecipeKinds.h"
#include "test/lib/schedules/mutants/steps/RoundKinds.h"
#include "test/lib/schedules/mutants/steps/SlipKinds.h"
#include "test/lib/schedules/mutants/steps/StepKinds.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

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
      {"function-scope", false, functionScope},
      {"root-by-parent", false, rootByParent},
      {"found-by-neighbour", false, foundByNeighbour},
      {"untile", false, untile},
      {"prune-unread", false, pruneUnread},
      {"layered-helpers", false, layeredHelpers},
      {"helper-finds-it", false, helperFindsIt},
      {"retune-sizes", false, retuneSizes},
      {"kindred-step", false, kindredStep},
      {"last-branch-first", false, lastBranchFirst},
      {"gather-handles", false, gatherHandles},
      {"finish-the-rest", false, finishTheRest},
      {"wrong-of-several", false, wrongOfSeveral},
      {"miscount-split", false, miscountSplit},
      {"limit-patterns", false, limitPatterns},
      {"rewrite-under-handle", false, rewriteUnderHandle},
      {"unit-dims", false, unitDims},
      {"bufferize-otherwise", false, bufferizeOtherwise},
      {"other-memory", false, otherMemory},
      {"transpose-pad", false, transposePad},
      {"interchange-in-fuse", false, interchangeInFuse},
      {"foreign-step", false, foreignStep},
      {"loops-by-pass", false, loopsByPass},
      {"change-signature", false, changeSignature},
      {"missing-library", false, missingLibrary},
      {"unwrap-region", false, unwrapRegion},
      {"strict-matcher", false, strictMatcher},
      {"turn-mapping", false, turnMapping},
      {"typed-parameter", false, typedParameter},
      {"parallel-then-for", false, parallelThenFor},
      {"tile-one-by-one", false, oneByOne},
      {"one-trip-loop", false, oneTrip},
      {"warp-level", false, warpLevel},
      {"loop-steps-in-row", false, loopStepsInRow},
      {"select-of-wide", false, selectOfWide},
      {"reverse-parts", false, reverseParts},
      {"none-left", false, noneLeft},
      {"identity-turn", false, identityTurn},
      {"nested-library", false, nestedLibrary},
      {"forwarded-size", false, forwardedSize},
      {"match-late", false, matchLate},
      {"bufferize-sooner", false, bufferizeSooner},
      {"clean-once", false, cleanOnce},
      {"fuse-in-other-order", false, fuseInOtherOrder},
      {"passes-first", false, passesFirst},
      {"buffer-passes", false, bufferPasses},
      {"vectorize-by-tile", false, vectorizeByTile},
      {"outline-and-inline", false, outlineAndInline},
      {"tile-packed", false, tilePacked},
      {"search-and-replace", false, searchAndReplace},
      {"shuffle-steps", false, shuffleSteps},
      {"fusion-as-tiling", false, fusionAsTiling},
      {"into-other-loop", false, intoOtherLoop},
      {"fused-in-loop", false, fusedInLoop},
      {"port-to-cpu", false, portToCpu},
      {"linear-ids", false, linearIds},
      {"loosen-types", false, loosenTypes},
      {"marked-by-matcher", false, markedByMatcher},
      {"size-from-table", false, sizeFromTable},
      {"option-by-parameter", false, optionByParameter},
      {"parameter-for-number", false, parameterForNumber},
      {"own-steps", false, ownSteps},
      {"asserted-form", false, assertedForm},
      {"partial-sums", false, partialSums},
      {"morph-and-back", false, morphAndBack},
      {"bundle-arguments", false, bundleArguments},
      {"isolated-sequence", false, isolatedSequence},
      {"helper-per-phase", false, helperPerPhase},
      {"left-over-helper", false, leftOverHelper},
      {"idle-queries", false, idleQueries},
      {"back-from-the-end", false, backFromTheEnd},
      {"loops-by-kind", false, loopsByKind},
      {"pairs-by-matcher", false, pairsByMatcher},
      {"many-scopes", false, manyScopes},
      {"cut-by-marks", false, cutByMarks},
      {"sizes-up-front", false, sizesUpFront},
      {"trailing-zeros", false, trailingZeros},
      {"half-parallel", false, halfParallel},
      {"fuse-in-steps", false, fuseInSteps},
      {"fuse-each-producer", false, fuseEachProducer},
      {"loops-as-one", false, loopsAsOne},
      {"clean-up-helper", false, cleanUpHelper},
      {"near-duplicates", false, nearDuplicates},
      {"two-recipes", false, twoRecipes},
      {"table-driven", false, tableDriven},
      {"once-more", false, onceMore},
      {"unfuse", false, unfuse},
      {"port-to-batch", false, portToBatch},
      {"stray-attributes", false, strayAttributes},
      {"functions-up-front", true, functionsUpFront},
      {"one-function", true, oneFunction},
      {"find-per-function", true, findPerFunction},
      {"finder-helper", true, finderHelper},
      {"return-arguments", true, returnArguments},
      {"void-helper", true, voidHelper},
      {"general-tiler", true, generalTiler},
      {"outer-level", true, outerLevel},
      {"loops-by-count", true, loopsByCount},
      {"overwritten-name", true, overwrittenName},
      {"keep-small-ops", true, keepSmallOps},
      {"pad-by-tile", true, padByTile},
      {"reduction-apart", true, reductionApart},
      {"run-for-both", true, runForBoth},
      {"dimensions-by-class", true, dimensionsByClass},
      {"options-of-other", true, optionsOfOther},
      {"slices-first", true, slicesFirst},
      {"branch-per-part", true, branchPerPart},
  };
  return kinds;
}
