//===- FurtherKinds.cpp - More kinds of breakage --------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/FurtherKinds.h"

#include "test/lib/schedules/ScheduleEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

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

bool formwork::testing::moveFar(NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getSteps(entry), random);
  if (!op)
    return false;
  // As far as the first user lets it.
  Ops places;
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    if (next != op->getNextNode())
      places.push_back(next);
    if (llvm::any_of(op->getUsers(),
                     [&](Operation *user) { return next->isAncestor(user); }))
      break;
  }
  if (places.empty())
    return false;
  op->moveBefore(random.oneOf(ArrayRef<Operation *>(places)));
  return true;
}

bool formwork::testing::dropAttribute(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<Operation *, StringAttr>> found;
  for (Operation *op : getSteps(entry))
    for (NamedAttribute attr : op->getAttrs())
      // MLIR's verifiers trust that what has a default is there.
      if (isa<UnitAttr>(attr.getValue()) || attr.getName() == "mapping")
        found.push_back({op, attr.getName()});
  if (found.empty())
    return false;
  auto [op, name] = found[random.below(found.size())];
  op->removeAttr(name);
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

bool formwork::testing::twoParameters(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<Operation *, Value>> found;
  for (Operation *op : getSteps(entry))
    if (isa<transform::TileUsingForOp, transform::TileUsingForallOp>(op))
      found.push_back({op, op->getOperand(0)});
  if (found.empty())
    return false;
  auto [op, handle] = found[random.below(found.size())];
  std::string type;
  llvm::raw_string_ostream(type) << handle.getType();
  std::string merged = random.chance(0.5) ? "%m = transform.merge_handles %a, "
                                            "%b : !transform.param<i64>\n"
                                          : "%m = transform.param.constant 2 : "
                                            "i64 -> !transform.param<i64>\n";
  Operation *tile = insertText(
      op, handle,
      "%a = transform.param.constant 2 : i64 -> !transform.param<i64>\n"
      "%b = transform.param.constant 4 : i64 -> !transform.param<i64>\n" +
          merged +
          "%t, %l = transform.structured.tile_using_for %h tile_sizes [%m] : "
          "(" +
          type +
          ", !transform.param<i64>) -> (!transform.any_op, !transform.any_op)");
  if (!tile)
    return false;
  // The tile takes the place of what it was made of.
  handle.replaceUsesWithIf(tile->getResult(0), [&](OpOperand &use) {
    return use.getOwner() == op &&
           use.get().getType() == tile->getResult(0).getType();
  });
  return true;
}

bool formwork::testing::badInterchange(NamedSequenceOp entry, Random &random) {
  auto tile = pickStep<transform::TileUsingForOp>(entry, random);
  if (!tile)
    return false;
  SmallVector<int64_t> order;
  unsigned size = random.between(1, 4);
  for (unsigned i = 0; i < size; ++i)
    order.push_back(random.chance(0.6) ? size - 1 - i : random.below(size));
  tile.setInterchange(order);
  return true;
}
