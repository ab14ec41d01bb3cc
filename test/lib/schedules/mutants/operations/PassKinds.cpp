//===- PassKinds.cpp - Breakage by passes and widths ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/operations/PassKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::passesFirst(NamedSequenceOp entry, Random &random) {
  Block &block = entry.getBody().front();
  Value root = block.getNumArguments() ? Value(block.getArgument(0)) : Value();
  if (!root || !isa<transform::AnyOpType>(root.getType()))
    return false;
  Operation *place = &block.front();
  StringRef pass = pickText(
      random, {"linalg-fuse-elementwise-ops", "convert-elementwise-to-linalg",
               "linalg-generalize-named-ops", "linalg-fold-unit-extent-dims",
               "linalg-morph-ops", "sccp", "eliminate-empty-tensors",
               "fold-tensor-subset-ops", "canonicalize", "linalg-detensorize"});
  Value functions = insertMatch(place, root, "ops{[\"func.func\"]}");
  Operation *run =
      functions ? insertSteps(place, functions,
                              ("%p = transform.apply_registered_pass \"" +
                               pass + "\" to %h : (@) -> @")
                                  .str())
                : nullptr;
  if (!run)
    return false;
  // Some look in what the pass hands on, and for generics.
  bool looksIn = random.chance(0.3);
  double share = pass == "linalg-generalize-named-ops" ? 0.7 : 0.15;
  bool forGenerics = random.chance(share);
  for (Operation *step : getSteps(entry)) {
    auto match = dyn_cast<transform::MatchOp>(step);
    if (!match || !isStructuredKind(guessKind(match.getResult())) ||
        match.getTarget() != root)
      continue;
    if (looksIn)
      match.getTargetMutable().set(run->getResult(0));
    if (forGenerics && match.getOps() &&
        isa<transform::AnyOpType>(match.getResult().getType()))
      match.setOpsAttr(
          Builder(entry.getContext()).getStrArrayAttr({"linalg.generic"}));
  }
  return true;
}

bool formwork::testing::bufferPasses(NamedSequenceOp entry, Random &random) {
  Value root = bufferizeAtEnd(entry, 0.6, random);
  Operation *end = entry.getBody().front().getTerminator();
  if (!root)
    return false;
  Value functions = insertMatch(end, root, "ops{[\"func.func\"]}");
  if (!functions)
    return false;
  for (unsigned i = 0, e = random.between(1, 2); i < e; ++i) {
    StringRef pass =
        pickText(random, {"buffer-hoisting", "buffer-loop-hoisting",
                          "promote-buffers-to-stack", "fold-memref-alias-ops",
                          "normalize-memrefs", "memref-expand",
                          "optimize-allocation-"
                          "liveness",
                          "buffer-deallocation-simplification"});
    Operation *run = insertSteps(end, functions,
                                 ("%p = transform.apply_registered_pass \"" +
                                  pass + "\" to %h : (@) -> @")
                                     .str());
    if (!run)
      return false;
    // Seldom, the next one runs on what the first consumed.
    if (!random.chance(0.1))
      functions = run->getResult(0);
  }
  StringRef kind = pickText(random, {"memref.alloc", "scf.for", "memref.copy",
                                     "linalg.generic", "memref.alloca"});
  if (random.chance(0.5)) {
    Value found =
        insertMatch(end, functions, ("ops{[\"" + kind + "\"]}").str());
    if (!found)
      return false;
    return insertSteps(end, found,
                       "transform.annotate %h \"mutant.buffer\" : @");
  }
  return true;
}

bool formwork::testing::vectorizeByTile(NamedSequenceOp entry, Random &random) {
  Operation *tile = pickStep(getUntypedTilings(entry), random);
  if (!tile || !isStructuredKind(guessKind(tile->getOperand(0))))
    return false;
  Value op = tile->getResult(0);
  unsigned rank = guessRank(tile->getOperand(0));
  Numbers sizes = getSizes(tile);
  if (sizes.size() > rank)
    return false;
  // What is not tiled is as long as the payload has it.
  int64_t rest = random.oneOf(ArrayRef<int64_t>{8, 16, 32, 64, 128});
  sizes.resize(rank, 0);
  for (int64_t &size : sizes)
    if (size <= 0)
      size = rest;
  if (random.chance(0.1))
    sizes.pop_back();
  Operation *place = tile->getNextNode();
  if (random.chance(0.6)) {
    place = tile->getBlock()->getTerminator();
    // Behind what reads it, but not behind what consumes it.
    for (Operation *user : op.getUsers())
      if (consumes(user, op)) {
        place = tile->getBlock()->findAncestorOpInBlock(*user);
        break;
      }
  }
  Operation *vectorize = insertSteps(
      place, op,
      ("transform.structured.vectorize %h vector_sizes [" +
       Twine(listNumbers(sizes)) + "] " +
       pickText(random, {"", "", "{vectorize_nd_extract}"}) + " : @")
          .str());
  if (!vectorize)
    return false;
  if (random.chance(0.5))
    return insertCleanUp(vectorize, op, random);
  return true;
}

bool formwork::testing::padByTile(NamedSequenceOp entry, Random &random) {
  Ops tilings = getUntypedTilings(entry);
  llvm::erase_if(tilings, [](Operation *tile) {
    return !isStructuredKind(guessKind(tile->getOperand(0)));
  });
  if (tilings.empty())
    return false;
  if (random.chance(0.6))
    tilings = {pickStep(tilings, random)};
  StringRef copy = pickText(random, {", copy_back_op = \"none\"",
                                     ", copy_back_op = "
                                     "\"none\"",
                                     "", ", copy_back_op = \"linalg.copy\""});
  StringRef fold = pickText(random, {"0", "1", "1"});
  bool saysMultiple = random.chance(0.6);
  for (Operation *tile : tilings) {
    Numbers multiples;
    std::string dimensions;
    for (unsigned dimension : getTiledDimensions(getSizes(tile))) {
      multiples.push_back(getSizes(tile)[dimension]);
      dimensions +=
          (dimensions.empty() ? "" : ", ") + std::to_string(dimension);
    }
    bool isContraction = isContractionKind(guessKind(tile->getOperand(0)));
    unsigned numOperands = isContraction ? 3 : 2;
    if (random.chance(0.08))
      numOperands += random.chance(0.5) ? -1 : 1;
    std::string values = "0.0 : f32", flags = fold.str();
    for (unsigned i = 1; i < numOperands; ++i) {
      values += ", 0.0 : f32";
      flags += ", " + fold.str();
    }
    Value op = tile->getResult(0);
    Operation *pad = insertSteps(
        tile->getNextNode(), op,
        "%p, %q, %c = transform.structured.pad %h " +
            (saysMultiple
                 ? "pad_to_multiple_of [" + listNumbers(multiples) + "] "
                 : std::string()) +
            "{padding_values = [" + values + "], padding_dimensions = [" +
            dimensions + "], nofold_flags = [" + flags + "]" + copy.str() +
            "} : (@) -> (@, @, @)");
    if (!goOnWith(pad, op, 0.85, random))
      return false;
  }
  return true;
}
