//===- ContractReader.cpp - From declarations to contracts ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/ContractReader.h"

#include "engine/Procedures.h"
#include "normalforms/ClauseParts.h"
#include "normalforms/IR/Escape.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;

namespace {
class Reader {
public:
  Reader(const FormLattice &lattice, ContractOp op)
      : lattice(lattice), op(op) {}

  FailureOr<Contract> read();

private:
  LogicalResult readClause(Operation *clause);
  LogicalResult read(ResultOp clause);
  LogicalResult read(PayloadOp clause);
  LogicalResult read(PreservesOp clause);
  LogicalResult read(PerformsOp clause);

  template <typename OpTy> LogicalResult readForm(OpTy clause, bool required);
  LogicalResult read(AdmitsOp clause);
  LogicalResult read(DomainOp clause);
  LogicalResult read(SideEffectsOp clause);
  LogicalResult read(SilenceableOp clause);
  LogicalResult read(EffectOp clause);
  /// Refuses conditions on a clause about all steps of the op.
  LogicalResult checkUnconditional(Operation *clause);
  template <typename OpTy>
  LogicalResult readOperand(OpTy clause, OperandClause::Kind kind,
                            std::optional<ArrayAttr> kinds,
                            bool definite = false);

  const FormLattice &lattice;
  ContractOp op;
  Contract contract;
  StringRef id;
  Conditions when;
};
} // namespace

FailureOr<Contract> Reader::read() {
  if (!isContractName(op.getOpName()))
    return refuse(op, "requires the name of an op, with its dialect, or "
                      "'pass:NAME' but has '" +
                          escape(op.getOpName()) + "'");
  contract.opName = op.getOpName();
  contract.complete = op.getComplete();
  if (op.getModel())
    contract.model = *op.getModel();
  unsigned number = 0;
  for (Operation &clause : op.getBody().front()) {
    // Clauses that no finding names get no id and do not advance the numbering.
    if (!isa<AdmitsOp, DomainOp, SideEffectsOp, SilenceableOp>(clause))
      ++number;
    id = StringAttr::get(op.getContext(),
                         contract.opName + ".c" + Twine(number));
    if (failed(readConditions(&clause, when)) || failed(readClause(&clause)))
      return failure();
  }
  contract.joinWrites();
  return std::move(contract);
}

template <typename OpTy>
LogicalResult Reader::readForm(OpTy clause, bool required) {
  FailureOr<AtomId> atom = resolve(lattice, clause, clause.getFormAttr());
  FailureOr<unsigned> operand = readIndex(clause, clause.getOperand());
  if (failed(atom) || failed(operand))
    return failure();
  contract.forms.push_back({*atom, *operand, required, clause.getAround(), id,
                            clause.getOtherwise(), when});
  return success();
}

template <typename OpTy>
LogicalResult Reader::readOperand(OpTy clause, OperandClause::Kind kind,
                                  std::optional<ArrayAttr> kinds,
                                  bool definite) {
  FailureOr<unsigned> operand = readIndex(clause, clause.getOperand());
  FailureOr<KindPatterns> patterns = readAccepted(clause, kinds);
  if (failed(operand) || failed(patterns))
    return failure();
  // Two lists of kinds are both to hold; to ask twice for one op is a slip.
  for (const OperandClause &other : contract.operands)
    if (kind == OperandClause::Single && other.kind == kind &&
        other.operand == *operand && when.empty() && other.when.empty())
      return engine::emitFinding({clause.getLoc(), "fw-contract-redefined",
                                  "requires one clause that asks for a single "
                                  "op but has another one for operand " +
                                      Twine(*operand)});
  contract.operands.push_back(
      {*operand, kind, *patterns, definite, id, clause.getOtherwise(), when});
  return success();
}

LogicalResult Reader::read(PreservesOp clause) {
  if (!clause.getForms()) {
    contract.preserves.push_back({std::nullopt, when});
    return success();
  }
  for (auto form : clause.getForms()->getAsRange<FlatSymbolRefAttr>()) {
    FailureOr<AtomId> atom = resolve(lattice, clause, form);
    if (failed(atom))
      return failure();
    contract.preserves.push_back({*atom, when});
  }
  return success();
}

LogicalResult Reader::read(ResultOp clause) {
  ResultClause result;
  FailureOr<unsigned> index = readIndex(clause, clause.getIndex());
  FailureOr<ResultRelation> relation =
      readWord<ResultRelation>(clause, clause.getRelation(),
                               {"same", "replaces", "inside", "around", "fresh",
                                "anchored", "declared", "any"});
  FailureOr<KindPatterns> kinds = readAccepted(clause, clause.getKinds());
  if (failed(index) || failed(relation) || failed(kinds) ||
      failed(readCount(clause, result)))
    return failure();
  bool isSeenFromOperand =
      *relation != ResultRelation::Fresh && *relation != ResultRelation::Any;
  if (isSeenFromOperand && !clause.getOperand())
    return refuse(clause, "requires 'of' with an operand after '" +
                              clause.getRelation() + "' but has none");
  result.index = *index;
  result.onwards = clause.getOnwards();
  result.relation = *relation;
  result.kinds = *kinds;
  result.when = when;
  if (clause.getOperand()) {
    FailureOr<unsigned> operand = readIndex(clause, *clause.getOperand());
    if (failed(operand))
      return failure();
    result.operand = *operand;
  }
  if (failed(readSpace(clause, result)))
    return failure();
  for (const ResultClause &other : contract.results) {
    bool meets = other.isAbout(result.index) || result.isAbout(other.index);
    if (meets && when.empty() && other.when.empty())
      return engine::emitFinding({clause.getLoc(), "fw-contract-redefined",
                                  "requires one clause per result but has "
                                  "another one for result " +
                                      Twine(result.index)});
  }
  contract.results.push_back(std::move(result));
  return success();
}

LogicalResult Reader::read(PerformsOp clause) {
  if (clause.getProcedures().empty())
    return refuse(clause, "requires a procedure but has an empty list of them");
  for (auto procedure : clause.getProcedures().getAsRange<StringAttr>()) {
    StringRef name = procedure.getValue();
    // Passes and rule groups of plugins are not known here.
    bool isKnown =
        isContractName(name) && (name.starts_with("pass:") ||
                                 name.starts_with("transform.apply_patterns."));
    isKnown |= llvm::any_of(
        engine::getBuiltinProcedures(),
        [&](const engine::Procedure &known) { return known.name == name; });
    if (!isKnown)
      return refuse(clause,
                    "requires a procedure of forms, a rule group "
                    "('transform.apply_patterns.NAME') or 'pass:NAME' but has "
                    "'" +
                        escape(name) + "'");
    contract.procedures.push_back({name, when});
  }
  return success();
}

LogicalResult Reader::read(PayloadOp clause) {
  PayloadClause write;
  FailureOr<WriteExtent> extent = readWord<WriteExtent>(
      clause, clause.getExtent(), {"target", "anchor", "root"});
  FailureOr<unsigned> operand =
      readIndex(clause, clause.getOperand().value_or(0));
  FailureOr<KindPatterns> introduces =
      readKinds(clause, clause.getIntroduces(), KindRole::Introduced);
  FailureOr<KindPatterns> rewrites =
      readKinds(clause, clause.getRewrites(), KindRole::Rewritten);
  FailureOr<KindPatterns> removes =
      readKinds(clause, clause.getRemoves(), KindRole::Rewritten);
  if (failed(extent) || failed(operand) || failed(introduces) ||
      failed(rewrites) || failed(removes) ||
      failed(readHandles(clause, write.handles)))
    return failure();
  write.extent = *extent;
  write.operand = *operand;
  write.introduces = *introduces;
  write.rewrites = *rewrites;
  write.removes = *removes;
  write.when = when;
  contract.writes.push_back(std::move(write));
  return success();
}

LogicalResult Reader::checkUnconditional(Operation *clause) {
  if (when.empty())
    return success();
  return refuse(clause, "requires no conditions, because this clause holds for "
                        "all steps of the op, but has some");
}

LogicalResult Reader::read(AdmitsOp clause) {
  Contract::AdmitsClause admits;
  for (auto name : clause.getFeatures().getAsRange<StringAttr>()) {
    if (name.getValue() == "*") {
      admits.features = FeatureSet::all();
      continue;
    }
    const PayloadFeature *feature = lookupPayloadFeature(name.getValue());
    if (!feature) {
      SmallVector<StringRef> known = {"*"};
      for (const PayloadFeature &one : getPayloadFeatures())
        known.push_back(one.name);
      return refuseWord(clause,
                        "requires a feature of payload, as 'formwork contracts "
                        "--features' lists them,",
                        name.getValue(), known);
    }
    admits.features.insert(feature->feature);
  }
  if (clause.getEvidence().empty())
    return refuse(clause, "requires a text after 'by' that says how the claim "
                          "was tested but has an empty one");
  admits.evidence = clause.getEvidence();
  admits.when = when;
  contract.admitted.push_back(std::move(admits));
  return success();
}

LogicalResult Reader::read(DomainOp clause) {
  if (failed(checkUnconditional(clause)))
    return failure();
  Domain domain;
  domain.name = clause.getName();
  domain.isOption = clause.getOption();
  for (auto word : clause.getValues().getAsRange<StringAttr>())
    if (llvm::Error error = domain.add(word.getValue()))
      return refuse(clause, llvm::toString(std::move(error)));
  bool isSecond = llvm::any_of(contract.domains, [&](const Domain &other) {
    return other.name == domain.name && other.isOption == domain.isOption;
  });
  if (isSecond)
    return engine::emitFinding(
        {clause->getLoc(), "fw-contract-redefined",
         "requires one domain for '" + domain.name + "' but has another one"});
  contract.domains.push_back(std::move(domain));
  return success();
}

LogicalResult Reader::read(SideEffectsOp clause) {
  ArrayRef<StringRef> words = getSideEffectWords();
  uint32_t effects = 0;
  for (auto word : clause.getEffects().getAsRange<StringAttr>()) {
    const auto *it = llvm::find(words, word.getValue());
    if (it == words.end())
      return refuseWord(clause,
                        ("requires one of " + llvm::join(words, ", ")).c_str(),
                        word.getValue(), words);
    if (!word.getValue().starts_with("may_") &&
        failed(checkUnconditional(clause)))
      return failure();
    effects |= 1u << (it - words.begin());
  }
  contract.sideEffects.push_back({effects, when});
  return success();
}

LogicalResult Reader::read(SilenceableOp clause) {
  if (failed(checkUnconditional(clause)))
    return failure();
  for (auto id : clause.getIds().getAsRange<StringAttr>()) {
    if (!id.getValue().starts_with("fw-"))
      return refuse(clause, "requires ids of diagnostics, which start with "
                            "'fw-', but has '" +
                                id.getValue() + "'");
    contract.silenceable.push_back({id.getValue(), clause.getLeavesPayload()});
  }
  return success();
}

LogicalResult Reader::read(EffectOp clause) {
  EffectClause effect;
  FailureOr<unsigned> operand = readIndex(clause, clause.getOperand());
  if (failed(operand))
    return failure();
  effect.operand = *operand;
  for (auto text : clause.getTerms().getAsRange<StringAttr>()) {
    llvm::Expected<EffectTerm> term = EffectTerm::parse(text.getValue());
    if (!term)
      return refuse(clause, llvm::toString(term.takeError()));
    effect.terms.push_back(*term);
  }
  if (effect.terms.empty())
    return refuse(clause, "requires a term but has an empty list of them");
  if (std::optional<StringRef> each = clause.getEach()) {
    if (!isEffectKind(*each))
      return refuse(clause, "requires a kind of ops that count but has '" +
                                *each + "'");
    effect.each = KindPattern::of(*each);
  }
  effect.id = id;
  effect.otherwise = clause.getOtherwise();
  effect.when = when;
  contract.effects.push_back(std::move(effect));
  return success();
}

LogicalResult Reader::readClause(Operation *clause) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(clause)
      .Case([&](RequiresOp op) { return readForm(op, /*required=*/true); })
      .Case([&](WantsOp op) { return readForm(op, /*required=*/false); })
      .Case([&](AcceptsOp op) {
        return readOperand(op, OperandClause::Accepts, op.getKinds());
      })
      .Case([&](SingleOp op) {
        return readOperand(op, OperandClause::Single, std::nullopt);
      })
      .Case([&](NeedsAncestorOp op) {
        return readOperand(op, OperandClause::NeedsAncestor, op.getKinds(),
                           op.getDefinite());
      })
      .Case([&](FailsOp op) -> LogicalResult {
        if (when.empty())
          return refuse(
              op,
              "requires the conditions under which the op fails but has none");
        contract.failures.push_back(
            {op.getMessage(), /*always=*/true, op.getDefinite(), id, when});
        return success();
      })
      .Case([&](MayFailOp op) {
        contract.failures.push_back({op.getMessage(), /*always=*/false,
                                     /*definite=*/false, id, when});
        return success();
      })
      .Case([&](EnsuresOp op) -> LogicalResult {
        FailureOr<AtomId> atom = resolve(lattice, op, op.getFormAttr());
        FailureOr<unsigned> operand = readIndex(op, op.getOperand());
        if (failed(atom) || failed(operand))
          return failure();
        contract.ensures.push_back({{*atom, *operand}, when});
        return success();
      })
      .Case<PreservesOp, ResultOp, PayloadOp, PerformsOp, AdmitsOp, DomainOp,
            SideEffectsOp, SilenceableOp, EffectOp>(
          [&](auto op) { return read(op); })
      .Case([&](ConvergesOp op) {
        auto &claim = contract.converges.emplace_back();
        claim.when = when;
        if (std::optional<ArrayAttr> groups = op.getGroups())
          for (auto group : groups->getAsRange<StringAttr>())
            claim.except.push_back(group.getValue());
        claim.onTensors = op.getOnTensors();
        return success();
      })
      .Default([&](Operation *other) {
        return refuse(other, "requires a clause but has '" +
                                 other->getName().getStringRef() + "'");
      });
}

FailureOr<Contract>
formwork::normalforms::readContract(const FormLattice &lattice, ContractOp op) {
  return Reader(lattice, op).read();
}
