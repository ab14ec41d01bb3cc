//===- HelperKinds.cpp - Breakage of sequences that are called ------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/control/HelperKinds.h"

#include "test/lib/schedules/mutants/edits/RegionEdit.h"
#include "test/lib/schedules/mutants/edits/TilingEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace formwork::testing;
using transform::IncludeOp;
using transform::NamedSequenceOp;

bool formwork::testing::inlineHelper(NamedSequenceOp entry, Random &random) {
  IncludeOp include = pickInclude(entry, random);
  if (!include)
    return false;
  NamedSequenceOp callee = getCallee(include);
  Block &body = callee.getBody().front();
  IRMapping mapping;
  mapping.map(body.getArguments(), include->getOperands());
  OpBuilder builder(include);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, value] : llvm::zip_equal(
           include->getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookup(value));
  include->erase();
  return true;
}

bool formwork::testing::callAgain(NamedSequenceOp entry, Random &random) {
  IncludeOp include = pickInclude(entry, random);
  if (!include)
    return false;
  Operation *place = pickPlaceBehind(include, random);
  Operation *copy = OpBuilder(place).clone(*include);
  for (OpOperand &operand : copy->getOpOperands()) {
    StringRef kind = guessKind(operand.get());
    Value other = pickVisible(copy, random, [&](StringRef fits) {
      return kind.empty() || fits == kind || isStructuredKind(kind);
    });
    if (other && other.getType() == operand.get().getType() &&
        random.chance(0.8))
      operand.set(other);
  }
  if (random.chance(0.3)) {
    NamedAttribute mode = getFailureMode(entry.getContext(),
                                         /*suppress=*/random.chance(0.5));
    copy->setAttr(mode.getName(), mode.getValue());
  }
  return true;
}

bool formwork::testing::helperRoles(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  bool fuses = random.chance(0.4);
  Value other;
  if (fuses) {
    Operation *producer =
        insertProducer(spot->place, spot->handle,
                       guessKind(spot->handle) == "linalg.matmul" ? 2 : 0);
    other = producer ? producer->getResult(0) : Value();
  } else {
    other = insertFunctions(spot->place, spot->handle);
  }
  if (!other)
    return false;
  std::string any = anyOp.str();
  std::string tile = "%t, %l = transform.structured.tile_using_forall %a "
                     "tile_sizes [2] : (" +
                     any + ") -> (" + any + ", " + any + ")\n";
  std::string rest =
      fuses ? "%f, %n = transform.structured.fuse_into_containing_op %b into "
              "%l : (" +
                  any + ", " + any + ") -> (" + any + ", " + any + ")\n"
            : "transform.apply_patterns to %b {\n"
              "transform.apply_patterns.linalg.tiling_canonicalization\n"
              "transform.apply_patterns.canonicalization\n} : " +
                  any + "\n";
  // The loop that comes back may be the one before the fusion.
  StringRef loop = fuses && random.chance(0.8) ? "%n" : "%l";
  bool cleansFirst = !fuses && random.chance(0.3);
  if (!insertSequences(
          entry,
          "transform.named_sequence @mutant_helper(%a: " + any +
              " {transform.consumed}, %b: " + any + " {transform." +
              (fuses ? "consumed" : "readonly") + "}) -> (" + any + ", " + any +
              ") {\n" + (cleansFirst ? rest + tile : tile + rest) +
              "transform.yield %t, " + loop + " : " + any + ", " + any + "\n}"))
    return false;
  bool swapsArguments = random.chance(0.25);
  std::string call = swapsArguments ? "(%y, %x)" : "(%x, %y)";
  Operation *include = insertText(
      spot->place, {spot->handle, other},
      "%x = transform.cast %h : " + spot->type + " to " + any +
          "\n%y = transform.cast %h1 : " + getTypeText(other) + " to " + any +
          "\n%r, %l = transform.include @mutant_helper failures(" +
          (random.chance(0.15) ? "suppress" : "propagate") + ") " + call +
          " : (" + any + ", " + any + ") -> (" + any + ", " + any + ")");
  // Or the loop for the tiled op.
  return goOnWith(include, spot->handle, 0.7, random,
                  random.chance(0.85) ? 0 : 1);
}

/// A matcher by name, of one kind or a few.
static std::string getMatcher(StringRef name, ArrayRef<StringRef> kinds) {
  std::string list;
  for (StringRef kind : kinds)
    list += (list.empty() ? "\"" : ", \"") + kind.str() + "\"";
  return ("transform.named_sequence @" + name + "(%op: " + anyOp +
          " {transform.readonly}) -> " + anyOp +
          " {\ntransform.match.operation_name %op [" + list + "] : " + anyOp +
          "\ntransform.yield %op : " + anyOp + "\n}\n")
      .str();
}

bool formwork::testing::collectMatching(NamedSequenceOp entry, Random &random) {
  std::optional<ScopedUse> found = pickScopedUse(entry, random);
  if (!found)
    return false;
  auto [use, scope] = *found;
  SmallVector<StringRef> kinds{guessKind(use->get())};
  if (random.chance(0.3))
    kinds.push_back(pickText(
        random, {"linalg.fill", "linalg.generic", "scf.for", "tensor.empty"}));
  if (kinds.size() == 2 && random.chance(0.3))
    kinds.erase(kinds.begin());
  if (!insertSequences(entry, getMatcher("mutant_is", kinds)))
    return false;
  std::string type = getTypeText(use->get());
  Operation *collect =
      insertText(use->getOwner(), scope,
                 "%c = transform.collect_matching @mutant_is in %h : (" +
                     getTypeText(scope) + ") -> " + anyOp +
                     "\n%t = transform.cast %c : " + anyOp + " to " + anyOp);
  if (!collect || use->get().getType() != collect->getResult(0).getType())
    return false;
  use->set(collect->getResult(0));
  return true;
}

bool formwork::testing::shadowedMatcher(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOf(entry, random, isScopeKind);
  if (!spot)
    return false;
  StringRef narrow = pickText(
      random, {"linalg.fill", "linalg.matmul", "linalg.generic", "scf.for"});
  SmallVector<StringRef> broad{"linalg.fill", "linalg.matmul"};
  if (random.chance(0.5))
    broad.push_back("linalg.generic");
  std::string any = anyOp.str();
  auto action = [&](StringRef name, bool changes) {
    std::string text =
        ("transform.named_sequence @" + name + "(%op: " + any + " {transform." +
         (changes ? "consumed" : "readonly") + "}) {\n")
            .str();
    if (!changes)
      text += "transform.annotate %op \"mutant.seen\" : " + any;
    else if (random.chance(0.5))
      text +=
          "%g = transform.structured.generalize %op : (" + any + ") -> " + any;
    else
      text += "%t, %l = transform.structured.tile_using_for %op tile_sizes "
              "[2] : (" +
              any + ") -> (" + any + ", " + any + ")";
    return text + "\ntransform.yield\n}\n";
  };
  bool changes = random.chance(0.55);
  if (!insertSequences(entry, getMatcher("mutant_broad", broad) +
                                  getMatcher("mutant_narrow", {narrow}) +
                                  action("mutant_first", !changes) +
                                  action("mutant_second", changes)))
    return false;
  bool shadowed = random.chance(0.5);
  StringRef pairs = shadowed
                        ? "@mutant_broad -> @mutant_first, @mutant_narrow -> "
                          "@mutant_second"
                        : "@mutant_narrow -> @mutant_second, @mutant_broad -> "
                          "@mutant_first";
  StringRef how = pickText(random, {"", "", "restrict_root "});
  Operation *step =
      insertText(spot->place, spot->handle,
                 "%r = transform.foreach_match " + how + "in %h " + pairs +
                     " : (" + spot->type + ") -> " + spot->type);
  return goOnWith(step, spot->handle, 0.85, random);
}

bool formwork::testing::eachLoop(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(
      entry, random, random.chance(0.6) ? isScopeKind : isStructuredKind);
  Value functions = spot ? insertFunctions(spot->place, spot->handle) : Value();
  if (!functions)
    return false;
  StringRef which =
      pickText(random, {"ops{[\"scf.for\"]}", "ops{[\"scf.for\"]}",
                        "interface{LoopLikeInterface}"});
  StringRef step = pickText(
      random,
      {"transform.loop.unroll %x {factor = 2} : #",
       "transform.loop.promote_if_one_iteration %x : #",
       "transform.apply_licm to %x : #",
       "%s = transform.cast %x : # to !transform.op<\"scf.for\">\n%p, %r = "
       "transform.loop.peel %s : (!transform.op<\"scf.for\">) -> (#, #)",
       "transform.loop.hoist_loop_invariant_subsets %x : #",
       "%f, %c = transform.loop.outline %x {func_name = \"mutant_loop\"}"
       " : (#) -> (#, #)"});
  std::string text = fillIn(step, '#', anyOp);
  // All at once, or one by one; inner loops come first.
  bool together = random.chance(0.3);
  std::string match =
      ("%x = transform.structured.match " + which + " in %h : (" +
       getTypeText(functions) + ") -> " + anyOp + "\n")
          .str();
  if (!together) {
    match.replace(1, 1, "m");
    text = "transform.foreach %m : " + anyOp.str() +
           " {\n^bb0(%x: " + anyOp.str() + "):\n" + text + "\n}";
  }
  return insertText(spot->place, functions, match + text);
}
