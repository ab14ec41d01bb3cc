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
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;

/// Whether `matcher` takes and yields exactly one op handle.
static bool hasMatcherSignature(transform::NamedSequenceOp matcher) {
  FunctionType type = matcher.getFunctionType();
  auto isHandle = [](Type t) {
    return isa<transform::TransformHandleTypeInterface>(t);
  };
  return type.getNumInputs() == 1 && type.getNumResults() == 1 &&
         isHandle(type.getInput(0)) && isHandle(type.getResult(0));
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
                            "requires a matcher that takes one op handle and "
                            "yields one but has @" +
                                matcher.getValue());
    finding.note(engine::NoteKind::Established, sequence.getLoc(),
                 "declared here");
    return engine::emitFinding(std::move(finding));
  }

  // A program of its own: all sequences of the file, which may include each
  // other, and one that collects what the matcher matches.
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
  auto collect = transform::NamedSequenceOp::create(
      builder, loc, "__formwork_collect", handle, TypeRange(),
      [&](OpBuilder &b, Location l, BlockArgument root) {
        transform::CollectMatchingOp::create(
            b, l, TypeRange{sequence.getFunctionType().getResult(0)}, root,
            matcher);
        transform::YieldOp::create(b, l);
      },
      /*attrs=*/{}, /*argAttrs=*/ArrayRef<DictionaryAttr>{readOnly});

  Predicate predicate;
  predicate.name = matcher.getValue().str();
  std::string clause = predicate.name + ".c1";
  predicate.clauses.push_back(
      {clause, "no op that @" + predicate.name + " matches"});
  predicate.check = [program, collect, clause, name = predicate.name](
                        Operation *anchor, SmallVectorImpl<Violation> &out,
                        bool /*onlyFirst*/) {
    transform::NamedSequenceOp entry = collect;
    Region &region = entry.getBody();
    transform::TransformState state =
        transform::detail::makeTransformStateForTesting(&region, anchor);
    auto collectOp = cast<transform::CollectMatchingOp>(region.front().front());
    if (failed(state.mapBlockArguments(region.getArgument(0), {anchor})))
      return;
    DiagnosedSilenceableFailure result = state.applyTransform(
        cast<transform::TransformOpInterface>(collectOp.getOperation()));
    if (!result.succeeded()) {
      // The matcher itself is broken; the form cannot be shown to hold.
      (void)result.checkAndReport();
      out.push_back(
          {anchor, clause,
           "requires a matcher that can run but @" + name + " failed"});
      return;
    }
    for (Operation *op : state.getPayloadOps(collectOp.getResult(0)))
      if (op != anchor)
        out.push_back(
            {op, clause, "requires no op that @" + name + " matches"});
  };
  return predicate;
}
