//===- ScheduleEdit.cpp - Steps, handles and simple edits -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/ScheduleEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace formwork::testing;

bool formwork::testing::isOpHandle(Value value) {
  return isa<transform::TransformHandleTypeInterface>(value.getType());
}

bool formwork::testing::consumes(Operation *op, Value value) {
  auto transformOp = dyn_cast<transform::TransformOpInterface>(op);
  return transformOp && transform::isHandleConsumed(value, transformOp);
}

static void collect(Block &block, Ops &steps) {
  for (Operation &op : block.without_terminator()) {
    if (!isa<transform::TransformOpInterface>(op))
      continue;
    steps.push_back(&op);
    if (isa<transform::SequenceOp, transform::ForeachOp,
            transform::AlternativesOp>(op))
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          if (inner.mightHaveTerminator())
            collect(inner, steps);
  }
}

Ops formwork::testing::getSteps(transform::NamedSequenceOp entry) {
  Ops steps;
  collect(entry.getBody().front(), steps);
  return steps;
}

Operation *formwork::testing::pickStep(ArrayRef<Operation *> steps,
                                       Random &random) {
  return steps.empty() ? nullptr : random.oneOf(steps);
}

std::optional<Spot>
formwork::testing::pickSpot(transform::NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getSteps(entry), random);
  Values visible = op ? getVisibleHandles(op) : Values();
  if (visible.empty())
    return std::nullopt;
  Spot spot{op, random.oneOf(ArrayRef<Value>(visible)), ""};
  llvm::raw_string_ostream(spot.type) << spot.handle.getType();
  return spot;
}

Values formwork::testing::getVisibleHandles(Operation *op) {
  Values handles;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (isOpHandle(value))
        handles.push_back(value);
  };
  for (; op && op->getBlock(); op = op->getParentOp()) {
    for (Operation &before : *op->getBlock()) {
      if (&before == op)
        break;
      add(before.getResults());
    }
    add(op->getBlock()->getArguments());
    if (isa<transform::NamedSequenceOp>(op->getParentOp()))
      break;
  }
  return handles;
}

Operation *formwork::testing::pickPlaceBehind(Operation *op, Random &random) {
  Ops places;
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
    places.push_back(next);
  return random.oneOf(ArrayRef<Operation *>(places));
}

StringRef formwork::testing::guessKind(Value handle) {
  if (auto type = dyn_cast<transform::OperationType>(handle.getType()))
    return type.getOperationName();
  auto result = dyn_cast<OpResult>(handle);
  if (!result)
    return "builtin.module";
  Operation *op = result.getOwner();
  if (auto match = dyn_cast<transform::MatchOp>(op)) {
    std::optional<ArrayAttr> names = match.getOps();
    return names && names->size() == 1
               ? cast<StringAttr>((*names)[0]).getValue()
               : "linalg.generic";
  }
  if (isa<transform::CastOp, transform::MergeHandlesOp,
          transform::SplitHandleOp>(op))
    return guessKind(op->getOperand(0));
  if (isa<transform::TileUsingForOp>(op))
    return result.getResultNumber() == 0 ? guessKind(op->getOperand(0))
                                         : "scf.for";
  if (isa<transform::TileUsingForallOp>(op))
    return result.getResultNumber() == 0 ? guessKind(op->getOperand(0))
                                         : "scf.forall";
  if (isa<transform::FuseIntoContainingOp>(op))
    return result.getResultNumber() == 0 ? guessKind(op->getOperand(0))
                                         : "scf.forall";
  if (isa<transform::GetParentOp>(op))
    return "func.func";
  return "";
}

Operation *formwork::testing::insertText(Operation *place, Value handle,
                                         const Twine &text) {
  std::string type;
  llvm::raw_string_ostream(type) << handle.getType();
  std::string module =
      ("module attributes {transform.with_named_sequence} {\n"
       "transform.named_sequence @m(%h: " +
       type + " {transform.consumed}) {\n" + text + "\ntransform.yield\n}\n}")
          .str();
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(
      module, ParserConfig(handle.getContext(), /*verifyAfterParse=*/false));
  if (!parsed)
    return nullptr;
  auto sequence = *parsed->getOps<transform::NamedSequenceOp>().begin();
  Block &body = sequence.getBody().front();
  body.getArgument(0).replaceAllUsesWith(handle);
  Operation *last = nullptr;
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator())) {
    op.moveBefore(place);
    op.walk([&](Operation *inner) { inner->setLoc(place->getLoc()); });
    last = &op;
  }
  return last;
}

void formwork::testing::insertUse(Operation *place, Value handle) {
  std::string type;
  llvm::raw_string_ostream(type) << handle.getType();
  insertText(place, handle,
             "transform.debug.emit_remark_at %h, \"use\" : " + type);
}

Operation *formwork::testing::insertConsumer(Operation *place, Value handle,
                                             Random &random) {
  std::string type;
  llvm::raw_string_ostream(type) << handle.getType();
  StringRef kind = guessKind(handle);
  std::string any = "(" + type + ") -> !transform.any_op";
  std::string tile = "%t, %l = transform.structured.tile_using_for %h "
                     "tile_sizes [1] : (" +
                     type + ") -> (!transform.any_op, !transform.any_op)";
  std::string pass =
      "%p = transform.apply_registered_pass \"canonicalize\" to %h : " + any;
  if (kind.starts_with("linalg.")) {
    if (random.chance(0.3) && kind != "linalg.generic")
      return insertText(place, handle,
                        "%g = transform.structured.generalize %h : " + any);
    return insertText(place, handle, tile);
  }
  if (kind == "scf.forall")
    return insertText(place, handle,
                      "%f = transform.loop.forall_to_for %h : " + any);
  if (kind == "func.func" || kind == "builtin.module")
    return insertText(place, handle, pass);
  if (kind == "scf.for")
    return insertText(place, handle,
                      "%c = transform.loop.coalesce %h : " + any);
  return insertText(place, handle, random.chance(0.5) ? tile : pass);
}
