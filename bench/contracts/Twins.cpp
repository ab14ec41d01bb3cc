//===- Twins.cpp - Schedules that show more of a step ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/contracts/Twins.h"
#include "transforms/TransformOps/NormalFormTransformOps.h"

#include "embedded/twins.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace formwork;

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

void formwork::mistakes::matchBehind(transform::NamedSequenceOp entry,
                                     ArrayRef<StringRef> kinds) {
  Block &body = entry.getBody().front();
  OpBuilder builder(body.getTerminator());
  Location loc = entry.getLoc();
  Type handle = transform::AnyOpType::get(entry.getContext());
  Type number =
      transform::ParamType::get(entry.getContext(), builder.getI64Type());
  for (StringRef kind : kinds) {
    Value found = transform::MatchOp::create(builder, loc, TypeRange(handle),
                                             body.getArgument(0),
                                             ArrayRef<StringRef>(kind));
    transform::NumAssociationsOp::create(builder, loc, number, found);
  }
}

void formwork::mistakes::suppressFailures(transform::NamedSequenceOp entry) {
  Block &body = entry.getBody().front();
  Value argument = body.getArgument(0);
  OpBuilder builder(body.getTerminator());
  auto sequence = transform::SequenceOp::create(
      builder, entry.getLoc(), TypeRange(),
      transform::FailurePropagationMode::Suppress, argument,
      [](OpBuilder &inner, Location loc, BlockArgument) {
        transform::YieldOp::create(inner, loc);
      });
  Block *inner = sequence.getBodyBlock();
  for (Operation &step : llvm::make_early_inc_range(body.without_terminator()))
    if (&step != sequence)
      step.moveBefore(inner->getTerminator());
  argument.replaceUsesWithIf(inner->getArgument(0), [&](OpOperand &use) {
    return use.getOwner() != sequence;
  });
}

void formwork::mistakes::watchKinds(transform::NamedSequenceOp entry,
                                    ModuleOp payload) {
  llvm::SetVector<OperationName> kinds;
  llvm::DenseMap<OperationName, bool> haveResults;
  payload.walk([&](Operation *op) {
    kinds.insert(op->getName());
    haveResults[op->getName()] |= op->getNumResults() != 0;
  });
  Block &body = entry.getBody().front();
  OpBuilder front(&body, body.begin()), back(body.getTerminator());
  Location loc = entry.getLoc();
  Type handle = transform::AnyOpType::get(entry.getContext());
  Type number =
      transform::ParamType::get(entry.getContext(), front.getI64Type());
  for (OperationName kind : kinds) {
    Value found = transform::MatchOp::create(
        front, loc, TypeRange(handle), body.getArgument(0),
        ArrayRef<StringRef>(kind.getStringRef()));
    transform::NumAssociationsOp::create(back, loc, number, found);
    if (!haveResults.lookup(kind))
      continue;
    Value results = transform::GetResultOp::create(
        front, loc, transform::AnyValueType::get(entry.getContext()), found,
        ArrayRef<int64_t>(), /*is_inverted=*/false, /*is_all=*/true);
    transform::NumAssociationsOp::create(back, loc, number, results);
  }
}

void formwork::mistakes::normalizeBefore(transform::NamedSequenceOp entry,
                                         StringRef form) {
  Block &body = entry.getBody().front();
  OpBuilder builder(&body.back());
  if (body.getOperations().size() > 1)
    builder.setInsertionPoint(body.back().getPrevNode());
  transform::NormalizeOp::create(
      builder, entry.getLoc(), body.getArgument(0),
      FlatSymbolRefAttr::get(builder.getContext(), form));
}

/// Attributes that print as `text`, or are the number.
static SmallVector<Attribute> readValues(MLIRContext *context, StringRef text) {
  Builder builder(context);
  SmallVector<Attribute> values;
  int64_t number = 0;
  if (!text.getAsInteger(10, number)) {
    values = {builder.getI64IntegerAttr(number),
              builder.getI32IntegerAttr(number), builder.getIndexAttr(number),
              builder.getDenseI64ArrayAttr(number),
              builder.getI64ArrayAttr(number)};
    return values;
  }
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  if (text.starts_with("["))
    values.push_back(parseAttribute(
        ("array<i64: " + text.drop_front().drop_back() + ">").str(), context));
  values.push_back(parseAttribute(text, context));
  values.push_back(builder.getStringAttr(text));
  llvm::erase(values, Attribute());
  return values;
}

bool formwork::mistakes::meetCondition(ModuleOp schedule, StringRef opName,
                                       const normalforms::Condition &condition,
                                       bool isOther) {
  bool isMet = false;
  // From a bound to the first number for which the condition does not hold.
  int64_t beside = 0;
  if (isOther)
    beside = condition.comparison == normalforms::Condition::AtLeast ? -1 : 1;
  ScopedDiagnosticHandler quiet(schedule.getContext(), [](Diagnostic &) {});
  schedule.walk([&](Operation *op) {
    if (op->getName().getStringRef() != opName)
      return;
    Attribute before = op->getAttr(condition.name);
    SmallVector<Attribute> values;
    if (condition.comparison != normalforms::Condition::Is)
      values = readValues(op->getContext(),
                          std::to_string(condition.number + beside));
    else if (condition.value.empty() && !before)
      values = {UnitAttr::get(op->getContext()),
                BoolAttr::get(op->getContext(), true)};
    else if (!condition.value.empty() && !isOther)
      values = readValues(op->getContext(), condition.value);
    else if (before)
      values = {Attribute()};
    auto set = [&](Attribute value) {
      if (value)
        op->setAttr(condition.name, value);
      else
        op->removeAttr(condition.name);
    };
    for (Attribute value : values) {
      set(value);
      if (op->getAttr(condition.name) != before && succeeded(verify(op))) {
        isMet = true;
        return;
      }
      set(before);
    }
  });
  return isMet;
}

//===----------------------------------------------------------------------===//
// Payloads
//===----------------------------------------------------------------------===//

void formwork::mistakes::duplicateOps(ModuleOp payload) {
  SmallVector<Operation *> pure;
  payload.walk([&](Operation *op) {
    bool isStatement =
        isa_and_present<func::FuncOp, scf::ForOp, scf::ForallOp, scf::IfOp>(
            op->getParentOp());
    if (isStatement && op->getNumResults() == 1 && op->getNumRegions() == 0 &&
        isMemoryEffectFree(op))
      pure.push_back(op);
  });
  llvm::DenseMap<Type, func::FuncOp> users;
  for (Operation *op : pure) {
    Type type = op->getResult(0).getType();
    func::FuncOp &user = users[type];
    OpBuilder builder(payload.getContext());
    if (!user) {
      builder.setInsertionPointToEnd(payload.getBody());
      user = func::FuncOp::create(builder, op->getLoc(),
                                  "twins_user" + std::to_string(users.size()),
                                  builder.getFunctionType(type, {}));
      user.setPrivate();
    }
    builder.setInsertionPointAfter(op);
    Operation *copy = builder.clone(*op);
    func::CallOp::create(builder, op->getLoc(), user, copy->getResults());
  }
}

SmallVector<OwningOpRef<Operation *>>
formwork::mistakes::readFunctions(MLIRContext *context) {
  OwningOpRef<ModuleOp> parsed =
      parseSourceString<ModuleOp>(embedded::twins, ParserConfig(context));
  if (!parsed)
    llvm::report_fatal_error("twins.mlir does not parse");
  SmallVector<OwningOpRef<Operation *>> functions;
  for (Operation &op : *parsed->getBody())
    functions.push_back(op.clone());
  return functions;
}

void formwork::mistakes::addFunction(ModuleOp payload, Operation *function) {
  // A step on kernels sees what stands beside them.
  auto kernels = payload.getOps<gpu::GPUModuleOp>();
  Block *place =
      kernels.empty() ? payload.getBody() : (*kernels.begin()).getBody();
  place->push_back(function->clone());
}
