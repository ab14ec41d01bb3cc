//===- Assertions.cpp - Models of ops that only check -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assertions: ops that fail unless something holds, and do nothing else. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/DetachedScopes.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/Models.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

static void propagateNameMatch(const Step &step) {
  auto match = cast<transform::MatchOperationNameOp>(step.op);
  HandleState handle = step.lookup(match.getOperandHandle());
  requireOne(step, match.getOperandHandle(),
             "matches an unknown number of payload ops",
             /*silenceable=*/false);
  SmallVector<std::string> accepted;
  for (auto name : match.getOpNames().getAsRange<StringAttr>())
    accepted.push_back(name.str());
  for (NodeId id : handle.nodes) {
    const Node &node = step.payload[id];
    bool accepts = node.kind && llvm::is_contained(
                                    accepted, node.kind->getStringRef().str());
    if (accepts)
      continue;
    if (!node.kind) {
      step.unprove("matches payload whose kind is not known",
                   /*silenceable=*/true);
      continue;
    }
    step.reportOf(match.getOperandHandle(), "fw-wrong-kind",
                  "requires payload of kind " + llvm::join(accepted, " or ") +
                      " but " + step.nameOf(match.getOperandHandle()) +
                      " has '" + node.kind->getStringRef() + "'",
                  node.isSurelyThere());
  }
}

static solver::BoolTerm getComparison(solver::TermContext &terms,
                                      transform::MatchCmpIPredicate predicate,
                                      solver::IntTerm a, solver::IntTerm b) {
  switch (predicate) {
  case transform::MatchCmpIPredicate::eq:
    return terms.equal(a, b);
  case transform::MatchCmpIPredicate::ne:
    return terms.notEqual(a, b);
  case transform::MatchCmpIPredicate::lt:
    return terms.less(a, b);
  case transform::MatchCmpIPredicate::le:
    return terms.lessEqual(a, b);
  case transform::MatchCmpIPredicate::gt:
    return terms.less(b, a);
  case transform::MatchCmpIPredicate::ge:
    return terms.lessEqual(b, a);
  }
  llvm_unreachable("a predicate is one of six");
}

/// Whether the two are known to be integers of one type, or of two.
static std::optional<bool> haveSameType(const ParamValue &a,
                                        const ParamValue &b) {
  if (a.isSize && b.isSize)
    return true;
  if (!(a.isSize || a.type) || !(b.isSize || b.type))
    return std::nullopt;
  return a.type == b.type;
}

static void propagateComparison(const Step &step) {
  auto match = cast<transform::MatchParamCmpIOp>(step.op);
  HandleState left = step.lookup(match.getParam()),
              right = step.lookup(match.getReference());
  bool isOpen = left.params.empty() || right.params.empty();
  // Of one type are those that compare as they should, or as they should not.
  bool areAlike = !isOpen;
  bool differs = !isOpen && left.params.size() != right.params.size();
  if (!isOpen && !differs)
    for (auto [a, b] : llvm::zip_equal(left.params, right.params)) {
      std::optional<bool> isSame = haveSameType(a, b);
      if (isSame && !*isSame) {
        step.report("fw-parameter-mismatch",
                    "requires parameters of the same type but " +
                        step.nameOf(match.getParam()) + " and " +
                        step.nameOf(match.getReference()) +
                        " hold integers of different types",
                    /*definite=*/true, /*silenceable=*/false);
        return;
      }
      // Whatever the type says, upstream compares with a sign.
      bool haveSigns = (a.isSize || a.isSigned) && (b.isSize || b.isSigned);
      areAlike &= isSame.has_value();
      if (!isSame || !haveSigns) {
        isOpen = true;
        continue;
      }
      std::optional<solver::IntTerm> first = step.analysis.getTerm(a.size),
                                     second = step.analysis.getTerm(b.size);
      isOpen |= !first || !second;
      if (!first || !second)
        continue;
      Requirement need{"param.compares",
                       solver::toInfix(*first) + " compares as '" +
                           stringifyEnum(match.getPredicate()).str() +
                           "' with " + solver::toInfix(*second)};
      differs |= !require(
          step, need,
          getComparison(step.terms, match.getPredicate(), *first, *second),
          [] {});
    }
  if (differs)
    step.report("fw-parameter-mismatch",
                "requires '" + step.nameOf(match.getParam()) + " " +
                    stringifyEnum(match.getPredicate()) + " " +
                    step.nameOf(match.getReference()) +
                    "' but the parameters do not compare so")
        .note(NoteKind::Established,
              left.origin ? left.origin->getLoc() : match.getParam().getLoc(),
              "parameter " + step.nameOf(match.getParam()) + " is set here");
  else if (isOpen)
    step.unprove("compares parameters whose values are not known",
                 /*silenceable=*/areAlike);
}

static void propagateVerify(const Step &step) {
  // Parsed payload has been verified, and proved steps leave valid IR.
  if (!step.payload.isAsGiven() && (!step.analysis.outcome.unproved.empty() ||
                                    !step.analysis.outcome.hidden.empty()))
    step.unprove("verifies payload that earlier steps may have changed");
  for (NodeId target : step.lookup(step.op->getOperand(0)).nodes)
    if (mayNotVerifyAlone(step, target))
      step.unprove("verifies the scope of the alternatives without the ops "
                   "around it");
}

void formwork::verifier::registerAssertionsModels(ModelRegistry &models) {
  models.add("match-name", propagateNameMatch,
             decides{"fw-cardinality", "fw-wrong-kind"});
  models
      .add("match-cmpi", propagateComparison, decides{"fw-parameter-mismatch"})
      .derivesConstraints = true;
  models.add("verify", propagateVerify);
}
