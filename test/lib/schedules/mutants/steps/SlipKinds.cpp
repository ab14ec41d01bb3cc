//===- SlipKinds.cpp - Breakage by slips of an editor ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/steps/SlipKinds.h"

#include "test/lib/schedules/mutants/control/RegionKinds.h"
#include "test/lib/schedules/mutants/edits/RegionEdit.h"
#include "test/lib/schedules/mutants/edits/TilingEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::halfRenamed(NamedSequenceOp entry, Random &random) {
  auto [steps, copies] = copyForOther(entry, random);
  // The uses in the copies that follow the new name, and the old names.
  SmallVector<std::pair<OpOperand *, Value>> renamed;
  for (auto [step, copy] : llvm::zip_equal(steps, copies))
    for (OpOperand &operand : copy->getOpOperands()) {
      Value old = step->getOperand(operand.getOperandNumber());
      if (old != operand.get())
        renamed.push_back({&operand, old});
    }
  if (renamed.empty())
    return false;
  // The first is what the copy is made for; of the others, those that are only
  // read are overlooked longest.
  if (renamed.size() > 1)
    renamed.erase(renamed.begin());
  auto *read = llvm::find_if(renamed, [](const auto &pair) {
    return !consumes(pair.first->getOwner(), pair.first->get());
  });
  if (read != renamed.end() && random.chance(0.9)) {
    read->first->set(read->second);
    return true;
  }
  auto [use, old] = renamed[random.below(renamed.size())];
  use->set(old);
  return true;
}

/// Swaps what `first` and `second` are read by.
static void swapReaders(Value first, Value second) {
  Uses ofFirst, ofSecond;
  for (OpOperand &use : first.getUses())
    ofFirst.push_back(&use);
  for (OpOperand &use : second.getUses())
    ofSecond.push_back(&use);
  for (OpOperand *use : ofFirst)
    use->set(second);
  for (OpOperand *use : ofSecond)
    use->set(first);
}

/// The places of two values of one type, in a list of values.
static std::optional<std::pair<unsigned, unsigned>> pickAlike(ValueRange values,
                                                              Random &random) {
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  for (unsigned first = 0; first < values.size(); ++first)
    for (unsigned second = first + 1; second < values.size(); ++second)
      if (values[first].getType() == values[second].getType() &&
          values[first] != values[second] &&
          !(values[first].use_empty() && values[second].use_empty()))
        pairs.push_back({first, second});
  if (pairs.empty())
    return std::nullopt;
  return pairs[random.below(pairs.size())];
}

bool formwork::testing::reorderParameters(NamedSequenceOp entry,
                                          Random &random) {
  transform::IncludeOp include = pickInclude(entry, random);
  if (!include) {
    if (!outlineSteps(entry, random))
      return false;
    include = pickInclude(entry, random);
    if (!include)
      return false;
  }
  NamedSequenceOp callee = getCallee(include);
  Block &body = callee.getBody().front();
  Operation *end = body.getTerminator();
  bool callerFollows = random.chance(0.6);
  auto results = pickAlike(end->getOperands(), random);
  if (results && random.chance(0.4)) {
    auto [first, second] = *results;
    Value kept = end->getOperand(first);
    end->setOperand(first, end->getOperand(second));
    end->setOperand(second, kept);
    if (callerFollows)
      swapReaders(include->getResult(first), include->getResult(second));
    return true;
  }
  auto parameters = pickAlike(body.getArguments(), random);
  if (!parameters)
    return false;
  auto [first, second] = *parameters;
  swapReaders(body.getArgument(first), body.getArgument(second));
  DictionaryAttr marks = callee.getArgAttrDict(first);
  callee.setArgAttrs(first, callee.getArgAttrDict(second));
  callee.setArgAttrs(second, marks);
  if (callerFollows) {
    Value kept = include->getOperand(first);
    include->setOperand(first, include->getOperand(second));
    include->setOperand(second, kept);
  }
  return true;
}

bool formwork::testing::repeatPerOp(NamedSequenceOp entry, Random &random) {
  Operation *step = pickStep(getSteps(entry), random);
  if (!step)
    return false;
  // A match that is repeated finds what it did; most have work in the loop.
  if (step->getNumResults() != 0 && !random.chance(0.5))
    if (Operation *next = step->getNextNode();
        !next->hasTrait<OpTrait::IsTerminator>())
      step = next;
  Value over = pickVisible(step, random, [&](StringRef kind) {
    return isStructuredKind(kind) || isLoopKind(kind) || random.chance(0.3);
  });
  bool isRead = false;
  step->walk([&](Operation *op) {
    isRead |= llvm::is_contained(op->getOperands(), over);
  });
  if (!over || isRead)
    return false;
  moveIntoForeach(step, over);
  return true;
}

bool formwork::testing::rematchSome(NamedSequenceOp entry, Random &random) {
  std::optional<ScopedUse> found = pickScopedUse(entry, random);
  if (!found)
    return false;
  auto [use, scope] = *found;
  Operation *place = use->getOwner();
  Value functions = insertFunctions(place, scope);
  if (!functions)
    return false;
  StringRef name = pickText(
      random, {"canonicalize", "cse", "loop-invariant-code-motion",
               "linalg-fold-unit-extent-dims", "linalg-generalize-named-ops"});
  Operation *pass = insertText(
      place, functions,
      "%p = transform.apply_registered_pass \"" + name + "\" to %h : (" +
          getTypeText(functions) + ") -> " + getTypeText(functions));
  if (!pass)
    return false;
  rebindToResult(pass, functions);
  // The slip: they forget nothing, some of it, or where to look for it.
  bool all = random.chance(0.8);
  Value from = random.chance(0.92) ? pass->getResult(0) : functions;
  Values stale;
  for (Value handle : getVisibleHandles(pass)) {
    StringRef kind = guessKind(handle);
    if ((isStructuredKind(kind) || isLoopKind(kind)) &&
        handle.getParentBlock() == pass->getBlock() && !handle.use_empty())
      stale.push_back(handle);
  }
  if (all)
    for (Value handle : getVisibleHandles(pass))
      if (guessKind(handle) == "func.func" && handle != functions)
        rebindToResult(pass, handle);
  for (Value handle : stale) {
    if (!all && (handle == use->get() || random.chance(0.3)))
      continue;
    Operation *match =
        insertText(place, from,
                   "%m = transform.structured.match ops{[\"" +
                       guessKind(handle) + "\"]} in %h : (" +
                       getTypeText(from) + ") -> " + getTypeText(handle));
    if (match && !rebindToResult(match, handle))
      match->erase();
  }
  return true;
}

bool formwork::testing::overCleanUp(NamedSequenceOp entry, Random &random) {
  Operation *cleanUp = pickStep(getCleanUps(entry), random);
  if (!cleanUp)
    return false;
  // Earlier; or the work behind it, and then what the work reads, goes first.
  bool up = random.chance(0.6), moved = false;
  for (unsigned i = 0, e = random.between(1, 6); i < e; ++i) {
    Operation *next = up ? cleanUp->getPrevNode() : cleanUp->getNextNode();
    if (!next || next->hasTrait<OpTrait::IsTerminator>() ||
        (up && llvm::is_contained(next->getUsers(), cleanUp)))
      break;
    if (up)
      cleanUp->moveBefore(next);
    else
      cleanUp->moveAfter(next);
    moved = true;
  }
  return moved;
}

bool formwork::testing::collectFromLoop(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  StringRef tile = pickText(random, {"tile_using_for", "tile_using_forall"});
  // The entry itself is gone when the loop hands it out.
  StringRef yielded =
      pickText(random, {"%t, %l", "%t, %l", "%t, %l", "%t, %l", "%t, %l",
                        "%t, %l", "%l, %t", "%l, %t", "%x, %l"});
  std::string any = anyOp.str();
  Operation *loop = insertText(
      spot->place, spot->handle,
      "%c = transform.cast %h : " + spot->type + " to " + any +
          "\n%r:2 = transform.foreach %c : " + any + " -> " + any + ", " + any +
          " {\n^bb0(%x: " + any + "):\n%t, %l = transform.structured." + tile +
          " %x tile_sizes [" + pickText(random, {"2", "4", "0, 4"}) + "] : (" +
          any + ") -> (" + any + ", " + any + ")\ntransform.yield " + yielded +
          " : " + any + ", " + any + "\n}");
  if (!loop)
    return false;
  StringRef step = pickText(
      random,
      {"transform.apply_licm to %h1 : @", "transform.annotate %h1 \"mine\" : @",
       "transform.structured.vectorize %h : @",
       "%g = transform.structured.generalize %h : (@) -> @",
       "%a, %b = transform.split_handle %h : (@) -> (@, @)\n"
       "transform.annotate %b \"mutant.second\" : @",
       "%a = transform.split_handle %h : (@) -> @\n"
       "%u, %k = transform.structured.tile_using_for %a tile_sizes [2] : (@) "
       "-> (@, @)",
       "transform.foreach %h, %h1 : @, @ {\n^bb0(%a: @, %b: @):\n"
       "%m = transform.structured.match interface{LinalgOp} in %b : (@) -> @\n"
       "transform.annotate %m \"mutant.inside\" : @\n}"});
  if (!insertText(spot->place, {loop->getResult(0), loop->getResult(1)},
                  fillIn(step, '@', any)))
    return false;
  return goOnWith(loop, spot->handle, 0.6, random);
}

bool formwork::testing::fallBack(NamedSequenceOp entry, Random &random) {
  // Mostly at the end; what is found in the functions is lost behind it.
  Operation *place = entry.getBody().front().getTerminator();
  Value scope = getRootAtEnd(entry);
  if (!scope || random.chance(0.25)) {
    std::optional<Spot> spot = pickSpotToAppend(
        entry, random, random.chance(0.6) ? isScopeKind : isStructuredKind);
    if (!spot)
      return false;
    place = spot->place;
    scope = spot->handle;
  }
  Value functions = insertFunctions(place, scope);
  if (!functions)
    return false;
  std::string type = getTypeText(functions);
  auto recipe = [&](bool tries) {
    std::string text =
        ("%m = transform.structured.match ops{[\"" +
         pickText(random, {"linalg.matmul", "linalg.fill", "linalg.generic"}) +
         "\"]} in %f : (" + type + ") -> @\n")
            .str();
    text += pickText(
        random, {"%t, %l = transform.structured.tile_using_for %m tile_sizes "
                 "[4, 4] : (@) -> (@, @)\n",
                 "%t = transform.structured.generalize %m : (@) -> @\n",
                 "transform.structured.vectorize %m : @\n"});
    if (tries)
      text += pickText(
          random, {"", "%a, %b = transform.split_handle %m : (@) -> (@, @)\n",
                   "%c = transform.structured.match ops{[\"scf.for\"]} in %f "
                   ": (" +
                       type +
                       ") -> @\n%d = transform.split_handle %c : (@) -> "
                       "@\n"});
    return fillIn(text, '@', anyOp);
  };
  bool hasSecond = random.chance(0.5);
  std::string head = "{\n^bb0(%f: " + type + "):\n",
              end = "transform.yield %f : " + type + "\n}";
  Operation *made = insertText(
      place, functions,
      "%r = transform.alternatives %h : " + type + " -> " + type + head +
          recipe(/*tries=*/true) + end + ", " + head +
          (hasSecond ? recipe(/*tries=*/false) : "") + end +
          (hasSecond && random.chance(0.6) ? ", " + head + end : ""));
  return goOnWith(made, functions, 0.85, random);
}
