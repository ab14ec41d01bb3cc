//===- StrategyLibrary.cpp - What makes kernels of operations ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/strategies/StrategyLibrary.h"

#include "embedded/strategies_gpu.h"
#include "engine/Diagnostics.h"

#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;

static constexpr StringLiteral kAttrName = "formwork.strategy";
static constexpr StringLiteral kMatchSuffix = ".match",
                               kThreadsSuffix = ".threads";

StringRef formwork::transforms::getShippedStrategies() {
  return embedded::strategies_gpu;
}

bool Strategy::matches(Operation *op) const {
  ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) {});
  // The interpreter takes the sequence as it is and changes nothing in it.
  Region &body = const_cast<transform::NamedSequenceOp &>(matcher).getBody();
  transform::TransformState state =
      transform::detail::makeTransformStateForTesting(&body, op);
  if (failed(state.mapBlockArguments(body.getArgument(0), {op})))
    return false;
  for (Operation &step : body.front().without_terminator()) {
    auto transform = dyn_cast<transform::TransformOpInterface>(step);
    if (!transform)
      return false;
    DiagnosedSilenceableFailure result = state.applyTransform(transform);
    if (result.succeeded())
      continue;
    if (result.isSilenceableFailure())
      (void)result.silence();
    return false;
  }
  return true;
}

static LogicalResult refuse(Location loc, const Twine &message) {
  return emitFinding(Finding(loc, "fw-strategy-library", message));
}

/// Whether `sequence` takes `numHandles` operations, then `numParams` numbers.
static bool takes(transform::NamedSequenceOp sequence, unsigned numHandles,
                  unsigned numParams) {
  FunctionType type = sequence.getFunctionType();
  if (sequence.isExternal() || type.getNumResults() != 0 ||
      type.getNumInputs() != numHandles + numParams)
    return false;
  for (auto [index, input] : llvm::enumerate(type.getInputs())) {
    bool isRight = index < numHandles
                       ? isa<transform::AnyOpType>(input)
                       : isa<transform::TransformParamTypeInterface>(input);
    if (!isRight)
      return false;
  }
  return true;
}

static LogicalResult readNumbers(Strategy &strategy, DictionaryAttr decisions,
                                 Location loc) {
  auto readOne = [&](StringRef key, int64_t &to, bool isNeeded) {
    Attribute attr = decisions.get(key);
    if (!attr)
      return !isNeeded;
    auto number = dyn_cast<IntegerAttr>(attr);
    if (!number || number.getValue().getBitWidth() > 64 || number.getInt() < 1)
      return false;
    to = number.getInt();
    return true;
  };
  auto readList = [&](StringRef key, SmallVectorImpl<int64_t> &to,
                      unsigned count, bool isNeeded) {
    Attribute attr = decisions.get(key);
    if (!attr)
      return !isNeeded;
    auto list = dyn_cast<ArrayAttr>(attr);
    if (!list || list.size() != count)
      return false;
    for (Attribute element : list) {
      auto number = dyn_cast<IntegerAttr>(element);
      if (!number || number.getValue().getBitWidth() > 64 ||
          number.getInt() < 1)
        return false;
      to.push_back(number.getInt());
    }
    return true;
  };
  bool contracts = strategy.fuse == FuseMode::Epilogue;
  if (!readOne("threads", strategy.threads, true) || strategy.threads > 1024)
    return refuse(loc, "a strategy requires 'threads' from 1 to 1024");
  if (!readOne("elements", strategy.elements, !contracts))
    return refuse(loc, "a strategy requires a positive number of 'elements'");
  if (!readOne("step", strategy.step, contracts) ||
      !readList("tile", strategy.tile, 2, contracts))
    return refuse(loc, "a strategy for contractions requires a positive 'step' "
                       "and a 'tile' of two positive numbers");
  if (!readList("multiple", strategy.multiple, 3, false))
    return refuse(loc, "'multiple' requires three positive numbers");
  return success();
}

static LogicalResult addStrategy(StrategyLibrary &library,
                                 transform::NamedSequenceOp matcher) {
  Location loc = matcher.getLoc();
  Strategy strategy;
  StringRef name = matcher.getSymName();
  if (!name.consume_back(kMatchSuffix))
    return refuse(loc, "a strategy requires a name that ends in '.match' but "
                       "has @" +
                           matcher.getSymName());
  strategy.name = name.str();
  strategy.matcher = matcher;
  if (!takes(matcher, 1, 0))
    return refuse(loc, "@" + matcher.getSymName() +
                           " requires one handle to any op and no result");
  std::string threads = (name + kThreadsSuffix).str();
  strategy.threadSequence =
      library.module->lookupSymbol<transform::NamedSequenceOp>(threads);
  if (!strategy.threadSequence || !takes(strategy.threadSequence, 1, 2))
    return refuse(loc, "@" + matcher.getSymName() + " requires a sequence @" +
                           threads + " of a handle and two parameters");
  auto decisions = matcher->getAttrOfType<DictionaryAttr>(kAttrName);
  if (!decisions)
    return refuse(loc, "'formwork.strategy' requires a dictionary");
  auto fuse = decisions.getAs<StringAttr>("fuse");
  auto mode = llvm::StringSwitch<std::optional<FuseMode>>(fuse ? fuse.getValue()
                                                               : StringRef())
                  .Case("epilogue", FuseMode::Epilogue)
                  .Case("rows", FuseMode::Rows)
                  .Case("points", FuseMode::Points)
                  .Case("loops", FuseMode::Loops)
                  .Default(std::nullopt);
  if (!mode)
    return refuse(loc, "a strategy requires 'fuse' to be \"epilogue\", "
                       "\"rows\", \"points\" or \"loops\"");
  strategy.fuse = *mode;
  if (failed(readNumbers(strategy, decisions, loc)))
    return failure();
  library.strategies.push_back(std::move(strategy));
  return success();
}

FailureOr<StrategyLibrary>
formwork::transforms::loadStrategies(MLIRContext *context,
                                     ArrayRef<std::string> names) {
  StrategyLibrary library;
  ParserConfig config(context);
  for (StringRef name : names) {
    OwningOpRef<ModuleOp> module =
        name == kShippedStrategies
            ? parseSourceString<ModuleOp>(getShippedStrategies(), config,
                                          "<shipped strategies>")
            : parseSourceFile<ModuleOp>(name, config);
    if (!module)
      return failure();
    if (!library.module) {
      library.module = std::move(module);
      continue;
    }
    // The first definition of a name counts.
    for (Operation &op : llvm::make_early_inc_range(*module->getBody())) {
      auto sequence = dyn_cast<transform::NamedSequenceOp>(op);
      if (sequence && !library.module->lookupSymbol(sequence.getSymName()))
        op.moveBefore(library.module->getBody(),
                      library.module->getBody()->end());
    }
  }
  for (auto sequence : library.module->getOps<transform::NamedSequenceOp>()) {
    if (sequence.getSymName() == prepareSequenceName) {
      if (!takes(sequence, 1, 0))
        return refuse(sequence.getLoc(),
                      "@prepare requires one handle and no result");
      library.prepare = sequence;
    }
    if (sequence->hasAttr(kAttrName) && failed(addStrategy(library, sequence)))
      return failure();
  }
  if (library.strategies.empty())
    return refuse(library.module->getLoc(),
                  "requires a sequence with the attribute 'formwork.strategy'");
  return library;
}
