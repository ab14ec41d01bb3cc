//===- ConsumptionKinds.cpp - Breakage by consumption ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/handles/ConsumptionKinds.h"

#include "test/lib/schedules/mutants/edits/RegionEdit.h"
#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

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

bool formwork::testing::reuseConsumed(NamedSequenceOp entry, Random &random) {
  auto found = getConsumptions(entry);
  if (found.empty())
    return false;
  auto [op, operand] = found[random.below(found.size())];
  insertUse(pickPlaceBehind(op, random), operand->get());
  return true;
}

bool formwork::testing::aliasThenConsume(NamedSequenceOp entry,
                                         Random &random) {
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

bool formwork::testing::consumeInForeach(NamedSequenceOp entry,
                                         Random &random) {
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
  // The handle and the body see the same payload of the kind.
  Operation *consumer = insertConsumer(body.getTerminator(), handle, random);
  if (!consumer)
    return false;
  consumer->replaceUsesOfWith(handle, consumed);
  if (random.chance(0.5))
    insertUse(op, handle);
  return true;
}

bool formwork::testing::consumeInInclude(NamedSequenceOp entry,
                                         Random &random) {
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

bool formwork::testing::consumeParent(NamedSequenceOp entry, Random &random) {
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

bool formwork::testing::mergeTwice(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpot(entry, random);
  if (!spot)
    return false;
  Operation *merge = insertText(spot->place, spot->handle,
                                Twine("%m = transform.merge_handles ") +
                                    (random.chance(0.3) ? "deduplicate " : "") +
                                    "%h, %h : " + spot->type);
  // The kind is that of the handle.
  Operation *consumer =
      merge ? insertConsumer(spot->place, spot->handle, random) : nullptr;
  if (!consumer)
    return false;
  consumer->replaceUsesOfWith(spot->handle, merge->getResult(0));
  return true;
}

bool formwork::testing::staleValue(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpot(entry, random);
  if (!spot)
    return false;
  bool operand = random.chance(0.4);
  Operation *get = insertText(
      spot->place, spot->handle,
      Twine("%v = transform.") + (operand ? "get_operand" : "get_result") +
          " %h[0] : (" + spot->type + ") -> !transform.any_value");
  if (!get || !insertConsumer(spot->place, spot->handle, random))
    return false;
  insertUse(spot->place, get->getResult(0));
  return true;
}

bool formwork::testing::staleInside(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpot(entry, random);
  if (!spot)
    return false;
  static constexpr StringLiteral kinds[] = {
      "interface{LinalgOp}", "ops{[\"arith.addf\"]}", "ops{[\"scf.for\"]}",
      "ops{[\"linalg.matmul\"]}", "interface{LoopLikeInterface}"};
  Operation *match =
      insertText(spot->place, spot->handle,
                 "%i = transform.structured.match " + kinds[random.below(5)] +
                     " in %h : (" + spot->type + ") -> !transform.any_op");
  if (!match)
    return false;
  Operation *place =
      random.chance(0.5) ? spot->place : pickPlaceBehind(spot->place, random);
  if (!insertConsumer(place, spot->handle, random))
    return false;
  insertUse(place, match->getResult(0));
  return true;
}

bool formwork::testing::consumeCast(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpot(entry, random);
  if (!spot)
    return false;
  Operation *cast = insertText(spot->place, spot->handle,
                               "%c = transform.cast %h : " + spot->type +
                                   " to !transform.any_op");
  if (!cast || !insertConsumer(spot->place, cast->getResult(0), random))
    return false;
  insertUse(pickPlaceBehind(spot->place->getPrevNode(), random), spot->handle);
  return true;
}

bool formwork::testing::consumeInRegion(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpot(entry, random);
  if (!spot)
    return false;
  bool sequence = random.chance(0.5);
  Operation *scope = insertText(
      spot->place, spot->handle,
      sequence
          ? Twine("transform.sequence %h : " + spot->type +
                  " failures(propagate) {\n^bb0(%x: " + spot->type + "):\n}")
                .str()
          : Twine("transform.alternatives %h : " + spot->type +
                  " {\n^bb0(%x: " + spot->type + "):\n}")
                .str());
  if (!scope)
    return false;
  Block &body = scope->getRegion(0).front();
  Operation *consumer =
      insertConsumer(body.getTerminator(), spot->handle, random);
  if (!consumer)
    return false;
  consumer->replaceUsesOfWith(spot->handle, body.getArgument(0));
  if (random.chance(0.6))
    insertUse(spot->place, spot->handle);
  return true;
}
