//===- MatcherPredicate.cpp - Predicates written as matchers ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/MatcherPredicate.h"

#include "engine/Diagnostics.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace formwork::normalforms;

/// Whether `matcher` takes a handle to any op and yields one op handle.
static bool hasMatcherSignature(transform::NamedSequenceOp matcher) {
  FunctionType type = matcher.getFunctionType();
  return !matcher.isExternal() && type.getNumInputs() == 1 &&
         type.getNumResults() == 1 &&
         isa<transform::AnyOpType>(type.getInput(0)) &&
         isa<transform::TransformHandleTypeInterface>(type.getResult(0));
}

/// The first op of `matcher`, or of a sequence that it includes, that matchers
/// may not contain; null if there is none.
static Operation *findOtherOp(transform::NamedSequenceOp matcher) {
  llvm::SetVector<Operation *> sequences;
  sequences.insert(matcher);
  for (size_t i = 0; i < sequences.size(); ++i) {
    auto sequence = cast<transform::NamedSequenceOp>(sequences[i]);
    if (sequence.isExternal())
      continue;
    for (Operation &op : sequence.getBody().front().without_terminator()) {
      if (!isa<transform::MatchOpInterface>(op))
        return &op;
      if (auto include = dyn_cast<transform::IncludeOp>(op))
        if (auto callee = SymbolTable::lookupNearestSymbolFrom<
                transform::NamedSequenceOp>(include, include.getTarget()))
          sequences.insert(callee);
    }
  }
  return nullptr;
}

/// Runs `include`, in the body of `region`, on `op`. Returns the ops that the
/// matcher yields, or no ops where it does not match. A definite failure is an
/// error; its first line is put into `why` instead of being emitted.
///
/// `transform.collect_matching` does the same for each op, but crashes when the
/// matcher fails definitely.
static FailureOr<SmallVector<Operation *>>
runMatcher(transform::IncludeOp include, Region &region, Operation *op,
           std::string &why) {
  ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &error) {
    if (why.empty())
      why = StringRef(error.str()).split('\n').first.str();
  });
  transform::TransformState state =
      transform::detail::makeTransformStateForTesting(&region, op);
  if (failed(state.mapBlockArguments(region.getArgument(0), {op})))
    return failure();
  DiagnosedSilenceableFailure result = state.applyTransform(
      cast<transform::TransformOpInterface>(include.getOperation()));
  if (result.isSilenceableFailure()) {
    (void)result.silence();
    return SmallVector<Operation *>();
  }
  if (!result.succeeded())
    return failure();
  return llvm::to_vector(state.getPayloadOps(include.getResult(0)));
}

FailureOr<Predicate> formwork::normalforms::createMatcherPredicate(
    ModuleOp file, FlatSymbolRefAttr matcher, Location loc) {
  auto sequence =
      file.lookupSymbol<transform::NamedSequenceOp>(matcher.getAttr());
  if (!sequence)
    return engine::emitFinding(engine::Finding(
        loc, "fw-unknown-predicate",
        "requires a named sequence of this file as matcher but has @" +
            matcher.getValue()));
  if (!hasMatcherSignature(sequence)) {
    engine::Finding finding(loc, "fw-matcher-signature",
                            "requires a matcher with a body that takes one "
                            "!transform.any_op and yields one but has @" +
                                matcher.getValue());
    finding.note(engine::NoteKind::Established, sequence.getLoc(),
                 "declared here");
    return engine::emitFinding(std::move(finding));
  }
  if (Operation *other = findOtherOp(sequence)) {
    engine::Finding finding(
        other->getLoc(), "fw-matcher-op",
        "requires only ops that match payload in a matcher but has '" +
            other->getName().getStringRef() + "'");
    finding.note(engine::NoteKind::Established, loc,
                 "@" + matcher.getValue() + " is the predicate of this form");
    return engine::emitFinding(std::move(finding));
  }

  // A separate program with all sequences of the file, which may include each
  // other, and a sequence that includes the matcher.
  MLIRContext *context = file.getContext();
  OpBuilder builder(context);
  std::shared_ptr<OwningOpRef<ModuleOp>> program =
      std::make_shared<OwningOpRef<ModuleOp>>(ModuleOp::create(loc));
  (**program)->setAttr(transform::TransformDialect::kWithNamedSequenceAttrName,
                       builder.getUnitAttr());
  builder.setInsertionPointToEnd((*program)->getBody());
  for (auto op : file.getOps<transform::NamedSequenceOp>())
    builder.clone(*op);
  Type handle = transform::AnyOpType::get(context);
  DictionaryAttr readOnly = builder.getDictionaryAttr(
      builder.getNamedAttr(transform::TransformDialect::kArgReadOnlyAttrName,
                           builder.getUnitAttr()));
  auto entry = transform::NamedSequenceOp::create(
      builder, loc, "__formwork_match", handle, TypeRange(),
      [&](OpBuilder &b, Location l, BlockArgument candidate) {
        transform::IncludeOp::create(
            b, l, TypeRange{sequence.getFunctionType().getResult(0)}, matcher,
            transform::FailurePropagationMode::Propagate, candidate,
            /*arg_attrs=*/nullptr, /*res_attrs=*/nullptr);
        transform::YieldOp::create(b, l);
      },
      /*attrs=*/{}, /*argAttrs=*/ArrayRef<DictionaryAttr>{readOnly});

  Predicate predicate;
  predicate.name = matcher.getValue().str();
  std::string clause = predicate.name + ".c1";
  predicate.clauses.push_back(
      {clause, "no op that @" + predicate.name + " matches"});
  predicate.check = [program, entry, clause, name = predicate.name](
                        Operation *anchor, SmallVectorImpl<Violation> &out,
                        bool onlyFirst) {
    transform::NamedSequenceOp sequence = entry;
    Region &region = sequence.getBody();
    auto include = cast<transform::IncludeOp>(region.front().front());
    size_t before = out.size();
    anchor->walk([&](Operation *candidate) {
      if (candidate == anchor)
        return WalkResult::advance();
      std::string why;
      FailureOr<SmallVector<Operation *>> matched =
          runMatcher(include, region, candidate, why);
      if (failed(matched)) {
        // The matcher itself is broken, so the form cannot be shown to hold.
        out.push_back({candidate, clause,
                       "requires a matcher that can run but @" + name +
                           " fails: " + why});
        return WalkResult::interrupt();
      }
      for (Operation *op : *matched)
        if (op != anchor)
          out.push_back(
              {op, clause, "requires no op that @" + name + " matches"});
      return onlyFirst && out.size() != before ? WalkResult::interrupt()
                                               : WalkResult::advance();
    });
  };
  return predicate;
}
