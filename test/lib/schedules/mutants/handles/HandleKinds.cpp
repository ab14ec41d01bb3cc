//===- HandleKinds.cpp - Breakage by the wrong handle ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/handles/HandleKinds.h"

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

static OpOperand *pickUse(NamedSequenceOp entry, Random &random) {
  Uses uses = getHandleUses(entry);
  return uses.empty() ? nullptr : uses[random.below(uses.size())];
}

/// Inserts a step before the owner of `use` that makes a handle of its type
/// from what it reads, and lets it read that. `text` says the step up to its
/// type.
static bool readThrough(OpOperand *use, const Twine &text) {
  std::string type = getTypeText(use->get());
  Operation *step = insertText(use->getOwner(), use->get(),
                               text + " : (" + type + ") -> " + type);
  if (!step)
    return false;
  use->set(step->getResult(0));
  return true;
}

bool formwork::testing::swapUses(NamedSequenceOp entry, Random &random) {
  OpOperand *first = pickUse(entry, random);
  if (!first)
    return false;
  Uses others;
  for (OpOperand *use : getHandleUses(entry))
    if (use->getOwner() != first->getOwner() && use->get() != first->get() &&
        use->get().getType() == first->get().getType() &&
        llvm::is_contained(getVisibleHandles(first->getOwner()), use->get()) &&
        llvm::is_contained(getVisibleHandles(use->getOwner()), first->get()))
      others.push_back(use);
  if (others.empty())
    return false;
  OpOperand *second = others[random.below(others.size())];
  Value value = first->get();
  first->set(second->get());
  second->set(value);
  return true;
}

bool formwork::testing::siblingResult(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<OpOperand *, Value>> found;
  for (OpOperand *use : getHandleUses(entry))
    if (Operation *step = use->get().getDefiningOp())
      for (Value other : step->getResults())
        if (other != use->get() && other.getType() == use->get().getType())
          found.push_back({use, other});
  if (found.empty())
    return false;
  auto [use, other] = found[random.below(found.size())];
  use->set(other);
  return true;
}

bool formwork::testing::matchElsewhere(NamedSequenceOp entry, Random &random) {
  auto match = pickStep<transform::MatchOp>(entry, random);
  Values scopes = match ? getVisibleHandles(match) : Values();
  llvm::erase(scopes, match ? match.getTarget() : Value());
  if (scopes.empty())
    return false;
  Value scope = random.oneOf(ArrayRef<Value>(scopes));
  match.getTargetMutable().set(scope);
  return true;
}

bool formwork::testing::widenMatch(NamedSequenceOp entry, Random &random) {
  auto match = pickStep<transform::MatchOp>(
      entry, random, [](auto step) { return step.getOps().has_value(); });
  if (!match)
    return false;
  Builder builder(entry.getContext());
  if (random.chance(0.3)) {
    static constexpr transform::MatchInterfaceEnum interfaces[] = {
        transform::MatchInterfaceEnum::LinalgOp,
        transform::MatchInterfaceEnum::TilingInterface,
        transform::MatchInterfaceEnum::LoopLikeInterface};
    match.removeOpsAttr();
    match.setInterfaceAttr(transform::MatchInterfaceEnumAttr::get(
        entry.getContext(), interfaces[random.below(3)]));
    return true;
  }
  static constexpr StringLiteral kinds[] = {
      "linalg.matmul",  "linalg.fill",        "linalg.generic",
      "scf.for",        "scf.forall",         "tensor.empty",
      "func.func",      "tensor.pad",         "tensor.extract_slice",
      "arith.constant", "linalg.batch_matmul"};
  Attribute more = builder.getStringAttr(kinds[random.below(std::size(kinds))]);
  SmallVector<Attribute> names(match.getOpsAttr().getValue());
  if (llvm::is_contained(names, more))
    return false;
  names.push_back(more);
  match.setOpsAttr(builder.getArrayAttr(names));
  return true;
}

bool formwork::testing::neighbourOp(NamedSequenceOp entry, Random &random) {
  OpOperand *use = pickUse(entry, random);
  if (!use)
    return false;
  switch (random.below(4)) {
  case 0:
  case 1:
    return readThrough(use, "%n = transform.get_producer_of_operand %h[" +
                                Twine(random.between(0, 2)) + "]");
  case 2:
    return readThrough(use, "%n = transform.get_consumers_of_result %h[0]");
  default:
    return readThrough(use, "%n = transform.get_parent_op %h {deduplicate}");
  }
}

bool formwork::testing::otherParent(NamedSequenceOp entry, Random &random) {
  auto parent = pickStep<transform::GetParentOp>(entry, random);
  if (!parent) {
    // Asked for first, from what a step reads.
    OpOperand *use = pickUse(entry, random);
    return use &&
           readThrough(use, "%p = transform.get_parent_op %h {nth_parent "
                            "= " +
                                Twine(random.between(1, 2)) + " : i64}");
  }
  switch (random.below(4)) {
  case 0: {
    static constexpr StringLiteral kinds[] = {"func.func", "scf.for",
                                              "scf.forall", "builtin.module"};
    StringRef kind = kinds[random.below(std::size(kinds))];
    if (parent.getOpName() == kind)
      return false;
    parent.setOpName(kind);
    return true;
  }
  case 1:
    parent.setIsolatedFromAbove(!parent.getIsolatedFromAbove());
    return true;
  case 2:
    parent.setDeduplicate(!parent.getDeduplicate());
    return true;
  default:
    parent.setNthParent(parent.getNthParent() + random.between(1, 2));
    return true;
  }
}

bool formwork::testing::mixHandles(NamedSequenceOp entry, Random &random) {
  OpOperand *use = pickUse(entry, random);
  if (!use)
    return false;
  Values others;
  for (Value handle : getVisibleHandles(use->getOwner()))
    if (handle != use->get() && handle.getType() == use->get().getType())
      others.push_back(handle);
  if (others.empty())
    return false;
  Value other = random.oneOf(ArrayRef<Value>(others));
  Operation *merge = insertText(use->getOwner(), {use->get(), other},
                                Twine("%m = transform.merge_handles ") +
                                    (random.chance(0.4) ? "deduplicate " : "") +
                                    "%h, %h1 : " + getTypeText(other));
  if (!merge)
    return false;
  use->set(merge->getResult(0));
  return true;
}

/// The kind that `handle` most likely holds or, once in two times, another.
static StringRef guessOrMiss(Value handle, Random &random) {
  static constexpr StringLiteral kinds[] = {"linalg.matmul", "linalg.generic",
                                            "linalg.fill",   "scf.for",
                                            "scf.forall",    "func.func"};
  StringRef kind = kinds[random.below(std::size(kinds))];
  StringRef guess = guessKind(handle);
  return random.chance(0.5) && !guess.empty() ? guess : kind;
}

bool formwork::testing::castThrough(NamedSequenceOp entry, Random &random) {
  OpOperand *use = pickUse(entry, random);
  if (!use)
    return false;
  std::string type = getTypeText(use->get());
  std::string kind =
      ("!transform.op<\"" + guessOrMiss(use->get(), random) + "\">").str();
  // A step that takes any handle can have the cast one as it is.
  bool back = random.chance(0.7);
  Operation *cast = insertText(
      use->getOwner(), use->get(),
      "%c = transform.cast %h : " + type + " to " + kind +
          (back ? "\n%b = transform.cast %c : " + kind + " to " + type
                : std::string()));
  if (!cast)
    return false;
  use->set(cast->getResult(0));
  return true;
}

bool formwork::testing::selectSome(NamedSequenceOp entry, Random &random) {
  OpOperand *use = pickUse(entry, random);
  if (!use)
    return false;
  StringRef kind = guessOrMiss(use->get(), random);
  if (!readThrough(use, "%s = transform.select \"" + kind + "\" in %h"))
    return false;
  // The rest should be one.
  return random.chance(0.5) ||
         readThrough(use, "%o = transform.split_handle %h "
                          "{pass_through_empty_handle = false}");
}

bool formwork::testing::wrongSplit(NamedSequenceOp entry, Random &random) {
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

bool formwork::testing::wrongHandle(NamedSequenceOp entry, Random &random) {
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

bool formwork::testing::retype(NamedSequenceOp entry, Random &random) {
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

bool formwork::testing::wrongMatch(NamedSequenceOp entry, Random &random) {
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

bool formwork::testing::swapResults(NamedSequenceOp entry, Random &random) {
  Ops found;
  for (Operation *op : getSteps(entry))
    if (op->getNumResults() >= 2 &&
        op->getResult(0).getType() == op->getResult(1).getType() &&
        !op->use_empty())
      found.push_back(op);
  Operation *op = pickStep(found, random);
  if (!op)
    return false;
  SmallVector<OpOperand *> first, second;
  for (OpOperand &use : op->getResult(0).getUses())
    first.push_back(&use);
  for (OpOperand &use : op->getResult(1).getUses())
    second.push_back(&use);
  for (OpOperand *use : first)
    use->set(op->getResult(1));
  for (OpOperand *use : second)
    use->set(op->getResult(0));
  return true;
}

bool formwork::testing::swapOperands(NamedSequenceOp entry, Random &random) {
  Ops found;
  for (Operation *op : getSteps(entry))
    if (op->getNumOperands() >= 2 && op->getOperand(0) != op->getOperand(1) &&
        op->getOperand(0).getType() == op->getOperand(1).getType())
      found.push_back(op);
  Operation *op = pickStep(found, random);
  if (!op)
    return false;
  Value first = op->getOperand(0), second = op->getOperand(1);
  op->setOperand(0, second);
  op->setOperand(1, first);
  return true;
}
