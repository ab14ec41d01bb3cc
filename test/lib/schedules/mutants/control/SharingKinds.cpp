//===- SharingKinds.cpp - Breakage by shared helpers ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/control/SharingKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"
#include "test/lib/schedules/mutants/edits/RegionEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;
using transform::TileUsingForallOp;

/// Bodies of a helper that cleans up %f: some read it, others consume it and
/// return %g.
static constexpr StringRef readingBodies[] = {
    "transform.apply_patterns to %f {\n"
    "transform.apply_patterns.canonicalization\n} : &\n"
    "transform.apply_cse to %f : &",
    "transform.apply_cse to %f : &",
    "%l = transform.structured.match interface{LoopLikeInterface} in %f : (&) "
    "-> &\ntransform.apply_licm to %l : &\ntransform.apply_cse to %f : &",
    "transform.apply_patterns to %f {\n"
    "transform.apply_patterns.linalg.tiling_canonicalization\n"
    "transform.apply_patterns.canonicalization\n} {apply_cse} : &\n"
    "transform.apply_dce to %f : &"};
static constexpr StringRef consumingBodies[] = {
    "%c = transform.apply_registered_pass \"canonicalize\" to %f : (&) -> &\n"
    "%g = transform.apply_registered_pass \"cse\" to %c : (&) -> &",
    "%g = transform.apply_registered_pass \"canonicalize\" to %f : (&) -> &"};

bool formwork::testing::cleanUpHelper(NamedSequenceOp entry, Random &random) {
  bool handsOn = random.chance(0.4);
  StringRef body = handsOn ? pickText(random, consumingBodies)
                           : pickText(random, readingBodies);
  std::string results = handsOn ? " -> &" : "";
  if (!insertSequences(
          entry, withTypes(("transform.named_sequence @mutant_clean_up(%f: & "
                            "{transform." +
                            Twine(handsOn ? "consumed" : "readonly") + "})" +
                            results + " {\n" + body + "\ntransform.yield " +
                            (handsOn ? "%g : &" : "") + "\n}")
                               .str())))
    return false;
  std::string call =
      withTypes(std::string(handsOn ? "%g = " : "") +
                "transform.include @mutant_clean_up failures(propagate) (%h) "
                ": (&) -> " +
                (handsOn ? "&" : "()"));
  // A call replaces each clean-up, and some are new.
  Ops cleanUps = getCleanUps(entry);
  llvm::erase_if(cleanUps, [](Operation *step) {
    return !isa<transform::AnyOpType>(step->getOperand(0).getType());
  });
  SmallVector<std::pair<Operation *, Value>> calls;
  for (Operation *step : cleanUps)
    calls.push_back({step, step->getOperand(0)});
  for (unsigned i = 0, e = random.below(3); i < e || calls.empty(); ++i) {
    std::optional<Spot> spot = pickSpotOf(entry, random, isScopeKind);
    Value functions =
        spot ? insertFunctions(spot->place, spot->handle) : Value();
    if (!functions || !isa<transform::AnyOpType>(functions.getType()))
      return false;
    calls.push_back({spot->place, functions});
  }
  double share = random.chance(0.75) ? 1.0 : 0.3;
  for (auto [place, handle] : calls)
    if (!goOnWith(insertText(place, handle, call), handle,
                  handsOn ? share : 0.0, random))
      return false;
  for (Operation *step : cleanUps)
    step->erase();
  return true;
}

/// Whether a helper made of `first` can stand for `second`, too.
static bool areAlike(Operation *first, Operation *second) {
  if (first->getName() != second->getName() ||
      first->getOperandTypes() != second->getOperandTypes() ||
      first->getResultTypes() != second->getResultTypes())
    return false;
  for (auto [one, two] :
       llvm::zip_equal(first->getResults(), second->getResults()))
    if (one.use_empty() && !two.use_empty())
      return false;
  // Each operand is an argument of the helper.
  llvm::SmallDenseSet<Value> operands;
  operands.insert_range(first->getOperands());
  return operands.size() == first->getNumOperands();
}

bool formwork::testing::nearDuplicates(NamedSequenceOp entry, Random &random) {
  Ops steps = getSteps(entry);
  llvm::erase_if(steps, [](Operation *step) {
    return step->getNumRegions() != 0 || step->getNumOperands() == 0;
  });
  SmallVector<std::pair<Operation *, Operation *>> equal, unequal;
  for (auto [number, second] : llvm::enumerate(steps))
    for (Operation *first : ArrayRef(steps).take_front(number))
      if (areAlike(first, second))
        (first->getAttrs() == second->getAttrs() ? equal : unequal)
            .push_back({first, second});
  auto &pairs = unequal.empty() || (!equal.empty() && random.chance(0.25))
                    ? equal
                    : unequal;
  if (pairs.empty())
    return false;
  auto [first, second] = pairs[random.below(pairs.size())];
  // The helper is mostly made of the first step.
  if (random.chance(0.3) && areAlike(second, first))
    std::swap(first, second);
  Values read(first->getOperands()), made;
  for (Value result : first->getResults())
    if (!result.use_empty())
      made.push_back(result);
  SmallVector<unsigned> numbers;
  for (Value result : made)
    numbers.push_back(cast<OpResult>(result).getResultNumber());
  transform::IncludeOp include =
      moveIntoSequence(entry, first, "mutant_alike", /*suppress=*/false);
  Operation *call = OpBuilder(second).clone(*include);
  for (OpOperand &operand : call->getOpOperands()) {
    unsigned number = llvm::find(read, operand.get()) - read.begin();
    operand.set(second->getOperand(number));
  }
  for (auto [number, result] : llvm::zip_equal(numbers, call->getResults()))
    second->getResult(number).replaceAllUsesWith(result);
  second->erase();
  return true;
}

bool formwork::testing::generalTiler(NamedSequenceOp entry, Random &random) {
  Ops tilings = getUntypedTilings(entry);
  Operation *first = pickStep(tilings, random);
  if (!first)
    return false;
  llvm::erase_if(tilings, [&](Operation *tile) {
    return tile->getName() != first->getName();
  });
  // The helper tiles the dimensions of one tiling, whatever sizes it is given.
  Numbers pattern = getSizes(first);
  bool isForall = isa<TileUsingForallOp>(first);
  unsigned numSizes = countLoops(pattern), numLoops = isForall ? 1 : numSizes;
  std::string arguments, sizes, types, results, handles;
  for (auto [dimension, size] : llvm::enumerate(pattern)) {
    std::string name = size != 0 ? "%s" + std::to_string(dimension) : "0";
    sizes += (dimension != 0 ? ", " : "") + name;
    if (size == 0)
      continue;
    arguments += ", " + name + ": $ {transform.readonly}";
    types += ", $";
  }
  for (unsigned i = 0; i < numLoops; ++i) {
    results += ", %l" + std::to_string(i);
    handles += ", &";
  }
  if (!insertSequences(entry,
                       withTypes("transform.named_sequence @mutant_tile(%op: & "
                                 "{transform.consumed}" +
                                 arguments + ") -> (&" + handles + ") {\n%t" +
                                 results + " = " +
                                 first->getName().getStringRef().str() +
                                 " %op tile_sizes [" + sizes + "] " +
                                 getMappingText(first) + " : (&" + types +
                                 ") -> (&" + handles + ")\ntransform.yield %t" +
                                 results + " : &" + handles + "\n}")))
    return false;
  bool takesAll = random.chance(0.5);
  int64_t filler = random.oneOf(ArrayRef<int64_t>{0, 1, 1, 8});
  for (Operation *tile : tilings) {
    Numbers own = getSizes(tile);
    bool isAlike = getTiledDimensions(own) == getTiledDimensions(pattern);
    if (!isAlike && !takesAll)
      continue;
    llvm::erase(own, 0);
    own.resize(numSizes, filler);
    std::string text, names;
    for (auto [i, size] : llvm::enumerate(own)) {
      std::string name = "%p" + std::to_string(i);
      text += name + " = transform.param.constant " + std::to_string(size) +
              " : i64 -> $\n";
      names += ", " + name;
    }
    Operation *call = insertText(
        tile, tile->getOperand(0),
        withTypes(text + "%t:" + std::to_string(numLoops + 1) +
                  " = transform.include @mutant_tile failures(propagate) (%h" +
                  names + ") : (&" + types + ") -> (&" + handles + ")"));
    if (!call)
      return false;
    for (auto [i, result] : llvm::enumerate(tile->getResults()))
      result.replaceAllUsesWith(
          call->getResult(std::min<unsigned>(i, numLoops)));
    tile->erase();
  }
  return true;
}
