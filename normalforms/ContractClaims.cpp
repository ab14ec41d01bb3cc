//===- ContractClaims.cpp - Whether claims fit the op -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/ContractChecker.h"

#include "normalforms/ClauseParts.h"
#include "normalforms/DiagnosticIds.h"
#include "normalforms/Effect.h"
#include "normalforms/PassOptions.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Whether `text` is the printed form of a type.
static bool isTypeText(MLIRContext *context, StringRef text) {
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
  Type type = parseType(text, context);
  if (!type)
    return false;
  return debugString(type) == text;
}

void ContractChecker::checkCondition(Operation *clause,
                                     const Condition &condition) {
  switch (condition.subject) {
  case Condition::Always:
    return;
  case Condition::Attribute:
    if (!condition.value.empty())
      checkValue(clause, condition.name, condition.value);
    return checkAttribute(clause, condition.name,
                          condition.comparison != Condition::Is);
  case Condition::Option:
    return checkOption(clause, condition.name);
  case Condition::Operand:
    return checkOperand(clause, condition.index, Meant::Any);
  case Condition::Type: {
    StringRef text = condition.value;
    Meant meant = text == "op"      ? Meant::Ops
                  : text == "param" ? Meant::Param
                                    : Meant::Any;
    bool isWord = meant != Meant::Any || text == "value";
    if (!isWord && !isTypeText(context, text))
      report(
          clause, "fw-contract-name",
          "requires 'op', 'value', 'param' or a type as it prints but has '" +
              text + "'");
    return checkOperand(clause, condition.index, meant);
  }
  case Condition::PayloadCount:
  case Condition::PayloadFact:
  case Condition::RunsHere:
    return checkOperand(clause, condition.index, Meant::Payload);
  case Condition::ParamValue:
    return checkOperand(clause, condition.index, Meant::Param);
  case Condition::PayloadKind:
  case Condition::Holds:
  case Condition::Given:
    checkKind(clause, condition.value);
    [[fallthrough]];
  case Condition::FoldableSizes:
  case Condition::DynamicSizes:
  case Condition::RunsAlone:
  case Condition::HoldsSchedule:
    return checkOperand(clause, condition.index, Meant::Ops);
  }
}

void ContractChecker::checkConditions(Operation *clause) {
  for (const Condition &condition : parseConditions(clause))
    checkCondition(clause, condition);
}

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

void ContractChecker::checkCount(ResultOp clause) {
  auto [function, rest] = clause.getCount().split('(');
  if (!rest.empty())
    checkAttribute(clause, rest.split(')').first, function != "size");
}

void ContractChecker::checkSpace(ResultOp clause) {
  if (!clause.getSpace())
    return;
  if (std::optional<ArrayAttr> kinds = clause.getKinds())
    for (auto kind : kinds->getAsRange<StringAttr>()) {
      std::optional<RegisteredOperationName> named =
          RegisteredOperationName::lookup(kind.getValue(), context);
      if (named && !KindPattern("$structured").matches(*named))
        report(clause, "fw-contract-name",
               "requires kinds of structured ops with 'space' but has '" +
                   kind.getValue() + "'");
    }
  auto [function, rest] = clause.getSpace()->split('(');
  if (rest.empty())
    return;
  auto [attribute, index] = rest.split(')').first.split(',');
  checkAttribute(clause, attribute.trim(), /*asInteger=*/true);
  if (int64_t first; !index.trim().getAsInteger(10, first))
    checkOperand(clause, first, Meant::Param);
}

void ContractChecker::checkEffect(EffectOp clause) {
  checkOperand(clause, clause.getOperand(), Meant::Payload);
  for (auto text : clause.getTerms().getAsRange<StringAttr>()) {
    llvm::Expected<EffectTerm> term = EffectTerm::parse(text.getValue());
    if (!term) {
      llvm::consumeError(term.takeError());
      continue;
    }
    for (const KindPattern &kind : term->kinds)
      checkKind(clause, kind);
    if (term->what == EffectTerm::Result)
      checkResult(clause, term->index);
    else if (term->what == EffectTerm::AttributeOf)
      checkAttribute(clause, term->name, /*asInteger=*/false);
  }
}

bool ContractChecker::mayMake(StringRef pattern, bool orRewritten) {
  SmallVector<StringRef> listed;
  for (PayloadOp write : contract.getBody().front().getOps<PayloadOp>()) {
    if (std::optional<ArrayAttr> kinds = write.getIntroduces())
      llvm::append_range(listed, kinds->getAsValueRange<StringAttr>());
    if (std::optional<ArrayAttr> kinds = write.getRewrites();
        kinds && orRewritten)
      llvm::append_range(listed, kinds->getAsValueRange<StringAttr>());
  }
  if (llvm::is_contained(listed, kFoldedConstantsWord))
    llvm::append_range(listed, getFoldedConstants());
  return llvm::any_of(listed, [&](StringRef kind) {
    kind.consume_front("+");
    kind = kind.split('?').first;
    return kind == "*" || KindPattern::of(kind).names(pattern) ||
           KindPattern::of(pattern).names(kind);
  });
}

/// The clauses on discardable attributes have to fit those on writes.
void ContractChecker::checkSideEffects(SideEffectsOp clause) {
  auto has = [](SideEffectsOp op, StringRef effect) {
    return llvm::is_contained(op.getEffects().getAsValueRange<StringAttr>(),
                              effect);
  };
  constexpr StringLiteral reads = "reads_no_discardable_attribute",
                          writes = "writes_only_discardable_attributes";
  Block &body = contract.getBody().front();
  bool mayWrite = !body.getOps<PayloadOp>().empty();
  bool writesOnlyThem =
      llvm::any_of(body.getOps<SideEffectsOp>(),
                   [&](SideEffectsOp other) { return has(other, writes); });
  for (StringRef harmless : {"only_reads", "only_reports"})
    if (has(clause, harmless) && mayWrite)
      report(clause, "fw-contract-clause",
             "requires an op that changes no payload with '" + harmless +
                 "' but the contract has a clause 'normalform.payload'");
  if (has(clause, writes) && !mayWrite)
    report(clause, "fw-contract-clause",
           "requires a clause 'normalform.payload' with '" + writes +
               "' but the contract has none, so that its op writes nothing");
  // A rewrite of an op keeps the op's attributes, or drops them.
  if (has(clause, reads) && mayWrite && !writesOnlyThem)
    report(clause, "fw-contract-clause",
           "requires an op that rewrites no payload with '" + reads +
               "' but the contract has a clause 'normalform.payload'");
  for (StringRef folds : {"may_fold", "may_fold_values"})
    if (has(clause, folds) && mayWrite && !mayMake("arith.constant"))
      report(clause, "fw-contract-clause",
             "requires a clause that adds '$constant' with '" + folds +
                 "', since folding makes constants, but the contract has "
                 "none");
}

/// Ops that may stand in a matcher, and only these, can say that it does not
/// match.
void ContractChecker::checkSilenceable(SilenceableOp clause) {
  constexpr StringLiteral rejects = "fw-matcher-failed";
  for (StringRef id : clause.getIds().getAsValueRange<StringAttr>())
    if (!llvm::is_contained(getErrorIds(), id))
      report(clause, "fw-contract-name",
             "requires the id of an error but has '" + id + "'", id,
             getErrorIds());
  auto subject = RegisteredOperationName::lookup(contract.getOpName(), context);
  if (!subject)
    return;
  bool isForMatchers = subject->hasInterface<transform::MatchOpInterface>();
  auto listsIt = [&](SilenceableOp one) {
    return llvm::is_contained(one.getIds().getAsValueRange<StringAttr>(),
                              rejects);
  };
  if (listsIt(clause) && !isForMatchers)
    report(clause, "fw-contract-clause",
           "requires an op for matchers with '" + rejects + "' but '" +
               contract.getOpName() + "' is none");
  if (isForMatchers &&
      llvm::none_of(contract.getBody().front().getOps<SilenceableOp>(),
                    listsIt))
    report(clause, "fw-contract-clause",
           "requires '" + rejects + "', since '" + contract.getOpName() +
               "' is an op for matchers, but no clause has it");
}

/// A pass has to declare the dialects of the ops that it makes.
void ContractChecker::checkDialects() {
  if (pass.empty() || contract.getBody().front().getOps<PayloadOp>().empty())
    return;
  for (const std::string &dialect : getPassDialects(pass))
    if (dialect != "builtin" && !mayMake(dialect + ".*", /*orRewritten=*/true))
      report(contract, kUnchecked,
             "pass '" + pass + "' declares that it uses dialect '" + dialect +
                 "', but no clause says that it adds '" + dialect + ".*'");
}
