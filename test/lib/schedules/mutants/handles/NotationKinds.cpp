//===- NotationKinds.cpp - Breakage by another notation -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/handles/NotationKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Whether `user` takes a handle only by the kind of op that it is for.
static bool wantsKind(Operation *user) {
  StringRef name = user->getName().getStringRef();
  name.consume_front("transform.");
  return name.starts_with("structured.hoist_pad") ||
         llvm::is_contained({"loop.peel", "loop.pipeline", "memref.multibuffer",
                             "memref.alloca_to_global", "structured.lower_pack",
                             "structured.lower_unpack",
                             "structured.pack_transpose",
                             "nvgpu.pipeline_shared_memory_copies"},
                            name);
}

bool formwork::testing::loosenTypes(NamedSequenceOp entry, Random &random) {
  Values typed;
  for (Operation *step : getSteps(entry))
    for (Value result : step->getResults())
      if (isa<transform::OperationType>(result.getType()))
        typed.push_back(result);
  if (typed.empty())
    return false;
  if (random.chance(0.5))
    typed = {random.oneOf(ArrayRef<Value>(typed))};
  for (Value handle : typed) {
    Type type = handle.getType();
    Uses bound;
    for (OpOperand &use : handle.getUses())
      if (wantsKind(use.getOwner()))
        bound.push_back(&use);
    handle.setType(transform::AnyOpType::get(entry.getContext()));
    // The kind is named where it has to be.
    for (OpOperand *use : bound) {
      OpBuilder builder(use->getOwner());
      use->set(transform::CastOp::create(builder, use->getOwner()->getLoc(),
                                         type, handle));
    }
  }
  return true;
}

bool formwork::testing::markedByMatcher(NamedSequenceOp entry, Random &random) {
  Block &block = entry.getBody().front();
  if (block.getNumArguments() == 0 ||
      !isa<transform::AnyOpType>(block.getArgument(0).getType()))
    return false;
  SmallVector<transform::MatchOp> found;
  for (Operation *step : getOuterSteps(entry))
    if (auto match = dyn_cast<transform::MatchOp>(step))
      if (match.getOps() && match.getOps()->size() == 1 &&
          isStructuredKind(guessKind(match.getResult())))
        found.push_back(match);
  if (found.empty())
    return false;
  if (found.size() > 1 && random.chance(0.5))
    found = {found[random.below(found.size())]};

  // One pair of sequences for each kind; the marks are made before all else.
  std::string sequences, pairs;
  llvm::SmallSetVector<StringRef, 4> kinds;
  for (transform::MatchOp match : found)
    kinds.insert(guessKind(match.getResult()));
  for (StringRef kind : kinds) {
    std::string name = kind.split('.').second.str();
    sequences += ("transform.named_sequence @mutant_is_" + name +
                  "(%op: & {transform.readonly}) -> & {\n"
                  "transform.match.operation_name %op [\"" +
                  kind +
                  "\"] : &\n"
                  "transform.yield %op : &\n}\n"
                  "transform.named_sequence @mutant_marks_" +
                  name +
                  "(%op: & {transform.readonly}) {\n"
                  "transform.annotate %op \"mutant." +
                  name + "\" : &\ntransform.yield\n}\n")
                     .str();
    pairs += (pairs.empty() ? "@mutant_is_" : ", @mutant_is_") + name +
             " -> @mutant_marks_" + name;
  }
  if (!insertSequences(entry, withTypes(sequences)))
    return false;
  // Matchers consume what they look in; some mark right before the match.
  Operation *place =
      random.chance(0.75) ? &block.front() : found.front().getOperation();
  Value functions =
      insertMatch(place, block.getArgument(0), "ops{[\"func.func\"]}");
  Operation *marks =
      functions ? insertText(place, functions,
                             withTypes("%u = transform.foreach_match in %h " +
                                       pairs + " : (&) -> &"))
                : nullptr;
  if (!marks)
    return false;
  // The marks are there once all that matched has them.
  bool looksIn = random.chance(0.5);
  for (transform::MatchOp match : found) {
    std::string name = guessKind(match.getResult()).split('.').second.str();
    if (random.chance(0.06))
      name += "_0";
    Builder builder(entry.getContext());
    NamedAttrList wanted(match.getOpAttrs() ? *match.getOpAttrs()
                                            : DictionaryAttr());
    wanted.set("mutant." + name, builder.getUnitAttr());
    match.setOpAttrsAttr(wanted.getDictionary(entry.getContext()));
    match.removeOpsAttr();
    if (looksIn && match.getTarget() == block.getArgument(0))
      match.getTargetMutable().set(marks->getResult(0));
  }
  return true;
}
