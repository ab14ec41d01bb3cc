//===- Matcher.cpp - What a matcher sequence says of an op ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/models/control/Matcher.h"
#include "engine/AnyBelow.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgMatchOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// The sequence that `op` includes, if it exists.
static transform::NamedSequenceOp getIncluded(Operation *op) {
  auto include = dyn_cast<transform::IncludeOp>(op);
  if (!include)
    return nullptr;
  auto callee =
      SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(
          op, include.getTarget());
  return callee && !callee.isExternal() ? callee : nullptr;
}

/// Whether `op`, or something in it, asks for an operand or result below the
/// first, on which MLIR crashes.
static bool asksBelowFirst(Operation *op) {
  auto isBelow = [](Operation *inner) {
    if (auto producer = dyn_cast<transform::GetProducerOfOperand>(inner))
      return static_cast<int64_t>(producer.getOperandNumber()) < 0;
    if (auto consumers = dyn_cast<transform::GetConsumersOfResult>(inner))
      return static_cast<int64_t>(consumers.getResultNumber()) < 0;
    transform::NamedSequenceOp callee = getIncluded(inner);
    return callee && asksBelowFirst(callee);
  };
  return formwork::engine::anyBelow(op, isBelow);
}

/// Whether `op` has one of `effects`, and so do the steps of its body or of the
/// sequence that it includes.
static bool hasThroughout(Operation &op, ArrayRef<SideEffect> effects,
                          const ContractLibrary &contracts) {
  auto allHave = [&](Block &block) {
    return llvm::all_of(block, [&](Operation &inner) {
      return inner.hasTrait<OpTrait::IsTerminator>() ||
             hasThroughout(inner, effects, contracts);
    });
  };
  if (isa<transform::IncludeOp>(op)) {
    transform::NamedSequenceOp callee = getIncluded(&op);
    return callee && allHave(callee.getBody().front());
  }
  bool hasOne = llvm::any_of(
      effects, [&](SideEffect effect) { return contracts.has(&op, effect); });
  return hasOne && llvm::all_of(op.getRegions(), [&](Region &region) {
           return llvm::all_of(region, allHave);
         });
}

bool formwork::verifier::changesOnlyAttributes(
    transform::NamedSequenceOp sequence, const ContractLibrary &contracts) {
  return llvm::all_of(
      sequence.getBody().front().without_terminator(), [&](Operation &step) {
        return hasThroughout(step,
                             {SideEffect::OnlyReads, SideEffect::OnlyReports,
                              SideEffect::WritesOnlyDiscardableAttributes},
                             contracts);
      });
}

/// Whether MLIR may crash when it asks `predicate` of a structured op: it reads
/// a destination, a result, or the size of a loop, whether the op has one there
/// or not. Without operands, no loop has a size.
static bool mayCrashAt(Operation *predicate, uint64_t numInits,
                       bool isOnTensors, bool hasOperands) {
  if (isa<transform::MatchStructuredDimOp>(predicate))
    return !hasOperands;
  if (auto body = dyn_cast<transform::MatchStructuredBodyOp>(predicate))
    return body.getReductionPosition() &&
           *body.getReductionPosition() >= numInits;
  return isa<transform::MatchStructuredResultOp>(predicate) && !isOnTensors;
}

/// Whether MLIR may crash in `matcher`; `asks` says it of a predicate in the
/// matcher of structured ops that `matcher` is.
static bool mayCrash(
    Operation &matcher,
    llvm::function_ref<bool(transform::MatchStructuredOp, Operation *)> asks) {
  auto structured = dyn_cast<transform::MatchStructuredOp>(matcher);
  auto mayCrashHere = [&](Operation *predicate) {
    if (structured && predicate->getParentOp() == structured)
      return asks(structured, predicate);
    return isa<transform::MatchStructuredBodyOp,
               transform::MatchStructuredResultOp>(predicate);
  };
  auto mayCrashIn = [&](Operation *root) {
    return formwork::engine::anyBelow(root, mayCrashHere);
  };
  transform::NamedSequenceOp callee = getIncluded(&matcher);
  return mayCrashIn(&matcher) || (callee && mayCrashIn(callee));
}

constexpr StringLiteral kCrashes =
    "it asks for a destination, a result or a size that the op may not have, "
    "where MLIR reads other memory";

MatcherAnswer Matcher::ask(const Node &asked, bool isPristine) const {
  std::optional<OperationName> kind = asked.kind;
  Block &body = sequence.getBody().front();
  BlockArgument self = body.getArgument(0);
  MatcherAnswer answer, no;
  answer.certainty = Certainty::Yes;
  no.certainty = Certainty::No;
  auto fail = [&](const Twine &why) {
    answer.failure = why.str();
    answer.failsForSure = answer.certainty == Certainty::Yes;
    answer.certainty = Certainty::Maybe;
    return answer;
  };
  if (auto type = dyn_cast<transform::OperationType>(self.getType())) {
    if (kind && kind->getStringRef() != type.getOperationName())
      return fail("its argument takes only '" + type.getOperationName() +
                  "' but the op to match is '" + kind->getStringRef() + "'");
    if (!kind)
      answer.certainty = Certainty::Maybe;
  }
  // As far as the kind decides.
  bool isOpen = false, canRun = true, isLocal = true;
  for (Operation &inner : body.without_terminator()) {
    if (!isa<transform::MatchOpInterface>(inner)) {
      // The walk comes here where all that stands before matches.
      if (isOpen)
        answer.certainty = Certainty::Maybe;
      return fail("'" + inner.getName().getStringRef() +
                  "' is not an op for matchers");
    }
    if (onlyReports(inner))
      continue;
    if (asksBelowFirst(&inner)) {
      // MLIR goes by a part of the number, and may find something there.
      answer.certainty = Certainty::Maybe;
      return fail("'" + inner.getName().getStringRef() +
                  "' asks for an operand or result with a negative number");
    }
    canRun &= hasThroughout(inner, SideEffect::OnlyReads, contracts);
    isLocal &= hasThroughout(inner, SideEffect::ReadsOneOp, contracts);
    for (Value operand : inner.getOperands())
      if (auto argument = dyn_cast<BlockArgument>(operand))
        canRun &= argument == self;
    bool asksSelf = inner.getNumOperands() != 0 && inner.getOperand(0) == self;
    if (auto named = dyn_cast<transform::MatchOperationNameOp>(inner);
        named && asksSelf && kind) {
      bool accepts = llvm::any_of(
          named.getOpNames().getAsRange<StringAttr>(), [&](StringAttr name) {
            return name.getValue() == kind->getStringRef();
          });
      if (accepts)
        continue;
      return no;
    }
    if (auto structured = dyn_cast<transform::MatchStructuredOp>(inner);
        structured && asksSelf && kind && kind->isRegistered() &&
        !KindPattern("$structured").matches(*kind)) {
      if (structured.getFailurePropagationMode().value_or(
              transform::FailurePropagationMode::Propagate) ==
          transform::FailurePropagationMode::Propagate)
        return no;
    }
    isOpen = true;
  }
  if (asked.op && canRun && (isPristine || isLocal))
    return run(asked.op);
  if (isOpen)
    answer.certainty = Certainty::Maybe;
  auto asksMore = [&](transform::MatchStructuredOp structured,
                      Operation *predicate) {
    bool isKnown = asked.space && structured.getCurrent() == self;
    return mayCrashAt(predicate, isKnown ? asked.space->numInits : 0,
                      isKnown && asked.space->onTensors,
                      !isKnown || !asked.space->maps.empty());
  };
  for (Operation &inner : body.without_terminator())
    if (!onlyReports(inner) && mayCrash(inner, asksMore)) {
      answer.certainty = Certainty::Maybe;
      return fail(kCrashes);
    }
  return answer;
}

/// The integers of 64 bits among `attributes`, which are all that steps take.
static SmallVector<Size, 4> readParams(ArrayRef<Attribute> attributes) {
  SmallVector<Size, 4> params;
  for (Attribute attribute : attributes) {
    auto integer = dyn_cast<IntegerAttr>(attribute);
    bool isKnown = integer && integer.getType().isSignlessInteger(64);
    params.push_back(isKnown ? Size(integer.getInt()) : Size());
  }
  return params;
}

MatcherAnswer Matcher::run(Operation *op) const {
  MatcherAnswer answer;
  std::string message;
  ScopedDiagnosticHandler capture(op->getContext(), [&](Diagnostic &diag) {
    if (message.empty())
      message = diag.str();
    return success();
  });
  auto fail = [&] {
    answer.failure = message;
    answer.failsForSure = true;
    return answer;
  };
  Operation *top = op;
  while (top->getParentOp())
    top = top->getParentOp();
  Region &region = sequence.getBody();
  transform::TransformState state =
      transform::detail::makeTransformStateForTesting(&region, top);
  if (failed(state.mapBlockArguments(region.getArgument(0), {op})))
    return fail();
  Block &body = region.front();
  for (Operation &inner : body.without_terminator()) {
    if (onlyReports(inner))
      continue;
    auto asksMore = [&](transform::MatchStructuredOp structured,
                        Operation *predicate) {
      return llvm::any_of(
          state.getPayloadOps(structured.getCurrent()), [&](Operation *target) {
            auto linalgOp = dyn_cast<linalg::LinalgOp>(target);
            return linalgOp && mayCrashAt(predicate, linalgOp.getNumDpsInits(),
                                          linalgOp.hasPureTensorSemantics(),
                                          linalgOp->getNumOperands() != 0);
          });
    };
    if (mayCrash(inner, asksMore)) {
      answer.failure = kCrashes;
      return answer;
    }
    DiagnosedSilenceableFailure result =
        state.applyTransform(cast<transform::TransformOpInterface>(inner));
    if (result.succeeded())
      continue;
    bool isDefinite = result.isDefiniteFailure();
    (void)result.silence();
    if (isDefinite)
      return fail();
    answer.certainty = Certainty::No;
    return answer;
  }
  answer.certainty = Certainty::Yes;
  for (Value yielded : body.getTerminator()->getOperands()) {
    MatcherYield &found = answer.found.emplace_back();
    auto argument = dyn_cast<BlockArgument>(yielded);
    if (argument && argument.getArgNumber() != 0)
      continue; // the caller knows what it forwards
    if (isa<transform::TransformHandleTypeInterface>(yielded.getType()))
      llvm::append_range(found.ops, state.getPayloadOps(yielded));
    else if (isa<transform::TransformParamTypeInterface>(yielded.getType()))
      found.params = readParams(state.getParams(yielded));
    else
      for (Value value : state.getPayloadValues(yielded))
        found.ops.push_back(value.getDefiningOp()
                                ? value.getDefiningOp()
                                : value.getParentBlock()->getParentOp());
  }
  return answer;
}

std::optional<OperationName> Matcher::getKindOf(unsigned index) const {
  Block &body = sequence.getBody().front();
  if (body.getTerminator()->getOperand(index) != body.getArgument(0))
    return std::nullopt;
  return getKind();
}

std::optional<OperationName> Matcher::getKind() const {
  Block &body = sequence.getBody().front();
  for (auto named : body.getOps<transform::MatchOperationNameOp>())
    if (named.getOperandHandle() == body.getArgument(0) &&
        named.getOpNames().size() == 1)
      return OperationName(cast<StringAttr>(named.getOpNames()[0]).getValue(),
                           sequence.getContext());
  return std::nullopt;
}

std::optional<SmallVector<KindPattern, 1>> Matcher::getAcceptedKinds() const {
  Block &body = sequence.getBody().front();
  BlockArgument self = body.getArgument(0);
  // An argument of another type refuses for good.
  if (!isa<transform::AnyOpType>(self.getType()))
    return std::nullopt;
  for (Operation &inner : body.without_terminator()) {
    if (onlyReports(inner))
      continue;
    if (auto named = dyn_cast<transform::MatchOperationNameOp>(inner);
        named && named.getOperandHandle() == self) {
      SmallVector<KindPattern, 1> names;
      for (auto name : named.getOpNames().getAsRange<StringAttr>())
        if (KindPattern pattern(name); pattern.isName())
          names.push_back(pattern);
      return names;
    }
    auto structured = dyn_cast<transform::MatchStructuredOp>(inner);
    if (structured && structured.getOperandHandle() == self &&
        structured.getFailurePropagationMode() !=
            transform::FailurePropagationMode::Suppress)
      return SmallVector<KindPattern, 1>{KindPattern::of("$structured")};
    return std::nullopt;
  }
  return std::nullopt;
}
