//===- Assertions.cpp - Models of ops that only check -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ops say that fail unless something holds, and do nothing else. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"
#include "verifier/solver/TermPrinter.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

void Interpreter::matchNameModel(Operation *op, const Contract &contract) {
  auto match = cast<transform::MatchOperationNameOp>(op);
  HandleState handle = lookup(match.getOperandHandle());
  Count count = handle.count(state.payload);
  if (count.lo > 1 || count.hi == 0)
    report(op, "fw-cardinality",
           "requires exactly one payload op but " +
               nameOf(match.getOperandHandle()) + " has " +
               (count.isExact() ? "" : "at least ") + Twine(count.lo),
           /*definite=*/true, /*silenceable=*/false);
  else if (!count.isExactly(1))
    unprove(op, "matches payload of which the number is not known");
  SmallVector<std::string> accepted;
  for (auto name : match.getOpNames().getAsRange<StringAttr>())
    accepted.push_back(name.str());
  for (NodeId id : handle.nodes) {
    const Node &node = state.payload[id];
    bool accepts = node.kind && llvm::is_contained(
                                    accepted, node.kind->getStringRef().str());
    if (accepts)
      continue;
    if (!node.kind) {
      unprove(op, "matches payload of a kind that is not known");
      continue;
    }
    report(op, "fw-wrong-kind",
           "requires payload of kind " + llvm::join(accepted, " or ") +
               " but " + nameOf(match.getOperandHandle()) + " has '" +
               node.kind->getStringRef() + "'",
           node.count.lo > 0 && node.present == Certainty::Yes)
        .note(NoteKind::Established,
              handle.origin ? handle.origin->getLoc()
                            : match.getOperandHandle().getLoc(),
              "handle " + nameOf(match.getOperandHandle()) + " is set here");
  }
}

static bool compare(transform::MatchCmpIPredicate predicate, int64_t a,
                    int64_t b) {
  switch (predicate) {
  case transform::MatchCmpIPredicate::eq:
    return a == b;
  case transform::MatchCmpIPredicate::ne:
    return a != b;
  case transform::MatchCmpIPredicate::lt:
    return a < b;
  case transform::MatchCmpIPredicate::le:
    return a <= b;
  case transform::MatchCmpIPredicate::gt:
    return a > b;
  case transform::MatchCmpIPredicate::ge:
    return a >= b;
  }
  llvm_unreachable("a predicate is one of six");
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

void Interpreter::matchCmpIModel(Operation *op, const Contract &contract) {
  auto match = cast<transform::MatchParamCmpIOp>(op);
  HandleState left = lookup(match.getParam()),
              right = lookup(match.getReference());
  bool isOpen = left.params.empty() || right.params.empty();
  bool differs = !isOpen && left.params.size() != right.params.size();
  if (!isOpen && !differs)
    for (auto [a, b] : llvm::zip_equal(left.params, right.params)) {
      std::optional<solver::IntTerm> first = getTerm(a.size),
                                     second = getTerm(b.size);
      isOpen |= !first || !second;
      if (first && second && !(a.size && b.size))
        require(op, op, "param.compares",
                getComparison(*parameters->context, match.getPredicate(),
                              *first, *second),
                solver::toInfix(*first) + " compares as '" +
                    stringifyEnum(match.getPredicate()) + "' with " +
                    solver::toInfix(*second),
                ConstraintKind::Required);
      differs |=
          a.size && b.size && !compare(match.getPredicate(), *a.size, *b.size);
    }
  if (differs)
    report(op, "fw-parameter-mismatch",
           "requires parameters that compare as '" +
               stringifyEnum(match.getPredicate()) + "' but " +
               nameOf(match.getParam()) + " does not with " +
               nameOf(match.getReference()))
        .note(NoteKind::Established,
              left.origin ? left.origin->getLoc() : match.getParam().getLoc(),
              "parameter " + nameOf(match.getParam()) + " is set here");
  else if (isOpen)
    unprove(op, "compares parameters whose values are not known");
}

void Interpreter::verifyModel(Operation *op, const Contract &contract) {
  // What was parsed has been verified, and steps that surely succeed leave what
  // verifies, as the schedule up to here is said to.
  if (!state.payload.isAsGiven() && (!unproved.empty() || !hidden.empty()))
    unprove(op, "verifies payload that earlier steps may have changed");
}
