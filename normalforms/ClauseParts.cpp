//===- ClauseParts.cpp - Parts that clauses share -------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/ClauseParts.h"

#include "engine/NearName.h"
#include "normalforms/PayloadFacts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace formwork::normalforms;

LogicalResult formwork::normalforms::refuse(Operation *clause,
                                            const Twine &message) {
  return engine::emitFinding({clause->getLoc(), "fw-contract-clause", message});
}

/// More than any op has, and far below the limit of the index type.
static constexpr int64_t kMaxIndex = 4095;

LogicalResult formwork::normalforms::refuseWord(Operation *clause,
                                                const Twine &message,
                                                StringRef word,
                                                ArrayRef<StringRef> words) {
  engine::Finding finding(clause->getLoc(), "fw-contract-clause",
                          message + " but has '" + word + "'");
  if (std::optional<size_t> near = engine::findNearName(word, words))
    finding.note(engine::NoteKind::FixIt, clause->getLoc(),
                 "did you mean '" + words[*near] + "'?");
  return engine::emitFinding(std::move(finding));
}

bool formwork::normalforms::isContractName(StringRef name) {
  auto isPart = [](char c) {
    return llvm::isAlnum(c) || StringRef("_$.-").contains(c);
  };
  if (name.consume_front("pass:"))
    return !name.empty() && llvm::all_of(name, isPart);
  auto [dialect, rest] = name.split('.');
  return !dialect.empty() && !rest.empty() && llvm::all_of(name, isPart);
}

FailureOr<AtomId> formwork::normalforms::resolve(const FormLattice &lattice,
                                                 Operation *clause,
                                                 FlatSymbolRefAttr form) {
  if (std::optional<AtomId> atom = lattice.lookup(form.getValue()))
    return *atom;
  engine::Finding finding(clause->getLoc(), "fw-unknown-form",
                          "requires a declared form but has @" +
                              form.getValue());
  if (std::optional<AtomId> near = lattice.suggest(form.getValue()))
    finding.note(engine::NoteKind::FixIt, clause->getLoc(),
                 "did you mean @" + lattice.getName(*near) + "?");
  return engine::emitFinding(std::move(finding));
}

FailureOr<unsigned> formwork::normalforms::readIndex(Operation *clause,
                                                     int64_t index) {
  if (index >= 0 && index <= kMaxIndex)
    return static_cast<unsigned>(index);
  return refuse(clause,
                "requires the number of an operand or result, at most " +
                    Twine(kMaxIndex) + ", but has " + Twine(index));
}

/// The terminator that comes with an op of `kind`; empty if there is none.
static StringRef getTerminator(StringRef kind) {
  if (StringRef found =
          llvm::StringSwitch<StringRef>(kind)
              .Cases({"scf.for", "scf.if", "scf.while", "scf.execute_region",
                      "scf.index_switch"},
                     "scf.yield")
              .Case("scf.forall", "scf.forall.in_parallel")
              .Case("scf.parallel", "scf.reduce")
              .Cases({"affine.for", "affine.if", "affine.parallel"},
                     "affine.yield")
              .Cases({"tensor.generate", "tensor.pad"}, "tensor.yield")
              .Case("vector.mask", "vector.yield")
              .Case("func.func", "func.return")
              .Case("gpu.func", "gpu.return")
              .Case("gpu.launch", "gpu.terminator")
              .Case("memref.generic_atomic_rmw", "memref.atomic_yield")
              .Case("memref.alloca_scope", "memref.alloca_scope.return")
              .Default("");
      !found.empty())
    return found;
  bool holdsScalars =
      kind.starts_with("linalg.") &&
      !llvm::is_contained({"linalg.yield", "linalg.index", "linalg.pack",
                           "linalg.unpack", "linalg.*"},
                          kind);
  return holdsScalars ? "linalg.yield" : "";
}

llvm::ArrayRef<llvm::StringLiteral>
formwork::normalforms::getFoldedConstants() {
  static constexpr llvm::StringLiteral kinds[] = {
      "arith.constant", "complex.constant", "index.constant", "ub.poison"};
  return kinds;
}

FailureOr<KindPatterns> formwork::normalforms::readKinds(
    Operation *clause, std::optional<ArrayAttr> kinds, KindRole role) {
  KindPatterns patterns;
  if (!kinds)
    return patterns;
  for (auto kind : kinds->getAsRange<StringAttr>()) {
    StringRef pattern = kind.getValue();
    if (role == KindRole::Introduced && pattern == kFoldedConstantsWord) {
      for (StringRef constant : getFoldedConstants())
        patterns.push_back(StringAttr::get(clause->getContext(), constant));
      continue;
    }
    bool ofThoseThere =
        role == KindRole::Introduced && pattern.consume_front("+");
    if (role == KindRole::Rewritten)
      pattern.consume_front("-");
    if ((role == KindRole::Rewritten || ofThoseThere) &&
        pattern.contains('?')) {
      StringRef property;
      std::tie(pattern, property) = pattern.split('?');
      if (!llvm::is_contained(
              {"constant-input", "tensor-result", "unit-extent"}, property))
        return refuse(clause, "requires 'constant-input', 'tensor-result' or "
                              "'unit-extent' after '?' but has '" +
                                  property + "'");
    }
    bool isKnown = true;
    if (pattern.starts_with("$"))
      isKnown = llvm::is_contained(
          {"$isolated", "$loop", "$structured", "$tileable"}, pattern);
    else if (pattern.starts_with("!"))
      isKnown = role == KindRole::Rewritten &&
                llvm::is_contained({"!tensor", "!memref", "!vector"}, pattern);
    else if (pattern != "*")
      isKnown = pattern.contains('.') && !pattern.drop_back(1).contains('*');
    if (!isKnown)
      return refuse(clause, "requires a kind (an op's name, 'dialect.*', '*' "
                            "or a class) but has '" +
                                pattern + "'");
    patterns.push_back(kind);
    if (role != KindRole::Introduced)
      continue;
    // An op with regions comes with its terminators.
    if (StringRef terminator = getTerminator(pattern); !terminator.empty())
      patterns.push_back(StringAttr::get(
          clause->getContext(), (ofThoseThere ? "+" : "") + terminator));
  }
  return patterns;
}

FailureOr<KindPatterns>
formwork::normalforms::readAccepted(Operation *clause,
                                    std::optional<ArrayAttr> kinds) {
  if (kinds && kinds->empty())
    return refuse(clause, "requires a kind but has an empty list of them");
  return readKinds(clause, kinds);
}

Conditions formwork::normalforms::parseConditions(Operation *clause) {
  Conditions conditions;
  auto texts = clause->getAttrOfType<ArrayAttr>("when");
  if (!texts)
    return conditions;
  for (auto text : texts.getAsRange<StringAttr>())
    if (llvm::Expected<Condition> condition = Condition::parse(text.getValue()))
      conditions.push_back(*condition);
    else
      llvm::consumeError(condition.takeError());
  return conditions;
}

LogicalResult formwork::normalforms::readConditions(Operation *clause,
                                                    Conditions &when) {
  when.clear();
  auto texts = clause->getAttrOfType<ArrayAttr>("when");
  if (!texts)
    return success();
  for (Attribute text : texts) {
    auto string = dyn_cast<StringAttr>(text);
    if (!string)
      return refuse(clause, "requires conditions as strings");
    llvm::Expected<Condition> condition = Condition::parse(string.getValue());
    if (!condition)
      return refuse(clause, llvm::toString(condition.takeError()));
    if (failed(readIndex(clause, condition->index)))
      return failure();
    if (condition->subject == Condition::PayloadFact &&
        !lookupPayloadFact(condition->value)) {
      SmallVector<StringRef> known;
      for (const PayloadFact &fact : getPayloadFacts())
        known.push_back(fact.name);
      return refuseWord(clause,
                        "requires a fact of payload, as 'formwork contracts "
                        "--facts' lists them,",
                        condition->value, known);
    }
    when.push_back(std::move(*condition));
  }
  return success();
}

LogicalResult formwork::normalforms::readCount(ResultOp clause,
                                               ResultClause &result) {
  StringRef text = clause.getCount();
  result.count = ResultCount::Term;
  if (text == "one")
    return success();
  if (text == "per_target" || text == "at_most_per_target" ||
      text == "unbounded") {
    result.count = text == "per_target"  ? ResultCount::PerTarget
                   : text == "unbounded" ? ResultCount::Unbounded
                                         : ResultCount::AtMostPerTarget;
    return success();
  }
  CountTerm &term = result.term;
  term.perTarget = text.consume_back(" per_target");
  if (!text.getAsInteger(10, term.constant) && term.constant >= 0)
    return success();
  auto [function, rest] = text.split('(');
  term.kind = llvm::StringSwitch<CountTerm::Kind>(function)
                  .Case("count_nonzero", CountTerm::CountNonzero)
                  .Case("size", CountTerm::Size)
                  .Case("value", CountTerm::Value)
                  .Default(CountTerm::Constant);
  if (term.kind == CountTerm::Constant || !rest.consume_back(")"))
    return refuse(clause, "requires a count ('per_target', "
                          "'at_most_per_target', 'one', 'unbounded' or a term) "
                          "but has '" +
                              clause.getCount() + "'");
  term.attribute = rest;
  return success();
}

LogicalResult formwork::normalforms::readSpace(ResultOp clause,
                                               ResultClause &result) {
  if (!clause.getSpace())
    return success();
  bool isOfOneTarget = result.count == ResultCount::PerTarget ||
                       result.count == ResultCount::AtMostPerTarget;
  if (!result.operand || !isOfOneTarget)
    return refuse(clause, "requires 'of' and the count 'per_target' or "
                          "'at_most_per_target' with 'space'");
  SpaceTerm &term = result.space.emplace();
  StringRef text = *clause.getSpace();
  if (text == "same")
    return success();
  auto [function, rest] = text.split('(');
  auto kind = llvm::StringSwitch<std::optional<SpaceTerm::Kind>>(function)
                  .Case("tile", SpaceTerm::Tile)
                  .Case("interchange", SpaceTerm::Interchange)
                  .Default(std::nullopt);
  if (kind && rest.consume_back(")")) {
    auto [name, index] = rest.split(',');
    term.kind = *kind;
    term.attribute = name.trim();
    unsigned first;
    bool hasIndex = !index.trim().getAsInteger(10, first);
    if (hasIndex)
      term.firstSize = first;
    bool fits = index.empty() || (hasIndex && *kind == SpaceTerm::Tile);
    if (!term.attribute.empty() && fits)
      return success();
  }
  return refuse(clause, "requires a space ('same', 'tile(ATTR)', "
                        "'tile(ATTR, OPERAND)' or 'interchange(ATTR)') but "
                        "has '" +
                            text + "'");
}

LogicalResult formwork::normalforms::readHandles(PayloadOp clause,
                                                 HandleEffects &handles) {
  if (!clause.getHandles())
    return success();
  for (auto word : clause.getHandles()->getAsRange<StringAttr>()) {
    bool *effect = llvm::StringSwitch<bool *>(word.getValue())
                       .Case("may_shrink", &handles.shrinks)
                       .Case("may_retarget", &handles.retargets)
                       .Case("may_move", &handles.moves)
                       .Case("fails_if_used_later", &handles.failsIfUsedLater)
                       .Default(nullptr);
    if (!effect)
      return refuse(clause, "requires one of may_shrink, may_retarget, "
                            "may_move, fails_if_used_later but has '" +
                                word.getValue() + "'");
    *effect = true;
  }
  return success();
}
